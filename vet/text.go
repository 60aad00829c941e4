package vet

import (
	"fmt"
	"unicode/utf8"

	"locator"
	"locator/internal/hostname"
	"locator/internal/octet"
)

func findControlOctet(u locator.URL, found func(string)) {
	for part, c := range locator.UnsafeOctets(u.View()) {
		found("the " + part + " contains the byte " + octet.Escape(c) + ", which would end or split a command")
	}
}

func findDoubleEscape(u locator.URL, found func(string)) {
	text := u.WithoutFragment().Redacted()
	for i := 0; i < len(text); i++ {
		c, ok := octet.At(text, i)
		if !ok {
			continue
		}
		if c == '%' && i+5 <= len(text) && octet.IsHex(text[i+3]) && octet.IsHex(text[i+4]) {
			found("the URL contains " + text[i:i+5] + ", which decodes to another escape")
			return
		}
		i += 2
	}
}

func findInvisible(u locator.URL, found func(string)) {
	text := u.Redacted()
	for i := 0; i < len(text); {
		c, size := octet.Rune(text[i:])
		size *= 3
		if size == 0 {
			if c, size = utf8.DecodeRuneInString(text[i:]); size == 1 {
				i++
				continue
			}
		}
		if hostname.Invisible(c) {
			found(fmt.Sprintf("the URL contains the character U+%04X, which cannot be seen as itself", c))
			return
		}
		i += size
	}
}
