// Package vet finds the hazards of a URL (RFC 1738 6): what the grammar allows but harms a reader
// or a server. It looks at the text alone; no name is resolved and no server is asked.
//
// A program that checks parts of a URL itself, such as its host, should take them
// from [locator.Current]: RFC 1738 finds no host in many URLs of later schemes, such as
// "https://host?query". [URL] judges both readings.
package vet
