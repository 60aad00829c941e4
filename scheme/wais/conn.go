package wais

import (
	"locator/scheme/internal/dialogue"
)

// conn is a connection to a server. One request at a time is outstanding: freeWAIS closes a
// connection on which two arrive at once.
type conn struct {
	*dialogue.Conn
	size int64 // the largest APDU that was negotiated, in bytes; 0 means none
}

// protocol is WAIS. It has no farewell.
var protocol dialogue.Protocol

// maxAPDU is the largest APDU that is asked for. It is the classic value.
const maxAPDU = 100_000
