package bnf

import (
	"embed"
	"fmt"
	"sync"
)

// files has the productions of the RFCs after RFC 1738, as printed, with the
// errata that each file names.
//
//go:embed *.abnf
var files embed.FS

var later = sync.OnceValue(func() map[int]*Grammar {
	read := func(number int) string {
		text, err := files.ReadFile(fmt.Sprintf("rfc%d.abnf", number))
		if err != nil {
			panic(err) // the texts are part of the program
		}
		return string(text)
	}
	list := map[int]*Grammar{}
	for _, number := range []int{2224, 3986, 3987, 5538, 6068, 6270, 8089} {
		text := read(number)
		if number != 3986 {
			text += "\n" + read(3986)
		}
		g, err := ParseABNF(text)
		if err != nil {
			panic(err)
		}
		list[number] = g
	}
	return list
})

// RFC returns the grammar of RFC 2224, 3986, 3987, 5538, 6068, 6270 or 8089, with those rules of
// RFC 3986 that it needs. It panics for another number.
func RFC(number int) *Grammar {
	g := later()[number]
	if g == nil {
		panic(fmt.Sprintf("bnf: no grammar of RFC %d", number))
	}
	return g
}
