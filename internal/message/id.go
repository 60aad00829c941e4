package message

import (
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
)

// newID returns a new message-id, with its angle brackets: random, at the domain of the author. It says nothing about the machine.
func newID(from string) (string, error) {
	f := field{value: from}
	list, err := f.addresses(rulesOf(false))
	if err != nil || len(list) == 0 {
		return "", errors.New("not a mail address, such as Name <name@example.org>")
	}
	addr := list[0].Address
	domain := addr[strings.LastIndexByte(addr, '@')+1:]
	id := "<" + strings.ToLower(rand.Text()) + "@" + domain + ">"
	if !rulesOf(true).isID(id) {
		return "", fmt.Errorf("the domain %q cannot be part of a message-id", domain)
	}
	return id, nil
}
