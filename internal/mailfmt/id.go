package mailfmt

import (
	"crypto/rand"
	"strings"
)

// newID returns a new message-id, with its angle brackets: random, at the domain of the author. It
// says nothing about the machine.
func newID(from *field) (string, error) {
	list, err := from.addresses(rulesOf(false))
	switch {
	case err != nil:
		return "", err
	case len(list) == 0:
		return "", from.refuse("not a mail address, such as Name <name@example.org>")
	}
	addr := list[0].Address
	domain := addr[strings.LastIndexByte(addr, '@')+1:]
	id := "<" + strings.ToLower(rand.Text()) + "@" + domain + ">"
	if !rulesOf(true).isID(id) {
		return "", from.refuse("the domain %q cannot be part of a message-id", domain)
	}
	return id, nil
}
