package bnf

import (
	_ "embed"
	"sync"
)

// text has the productions of RFC 1738 section 5, as the RFC prints them,
// with erratum 5118 applied.
//
//go:embed rfc1738.bnf
var text string

var rfc1738 = sync.OnceValue(func() *Grammar {
	g, err := Parse(text)
	if err != nil {
		panic(err) // the text is part of the program
	}
	return g
})

// RFC1738 returns the grammar of RFC 1738 section 5. It is read once, and may
// be used from several goroutines.
func RFC1738() *Grammar { return rfc1738() }
