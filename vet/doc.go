// Package vet finds the hazards of a URL (RFC 1738 6): what the grammar allows but harms a reader or a server. It looks at the
// text alone; no name is resolved and no server is asked.
package vet
