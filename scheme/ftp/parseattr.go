package ftp

import (
	"cmp"
	"io/fs"
	"strconv"
	"strings"

	"locator/internal/octet"
)

// modeOf parses the permissions at the beginning of a line of LIST, "-rwxr-xr-x". It returns 0 for
// any other form.
func modeOf(line string) (mode fs.FileMode) {
	for i, c := range line[1:10] {
		bit := fs.FileMode(1) << (8 - i)
		switch c {
		case 'r', 'w', 'x':
			mode |= bit
		case 's', 't': // set-id or sticky, and executable
			mode |= bit | special[i/3]
		case 'S', 'T':
			mode |= special[i/3]
		case '-':
		default:
			return 0
		}
	}
	return mode
}

// special are the bits that replace x, for the owner, the group and others.
var special = [...]fs.FileMode{fs.ModeSetuid, fs.ModeSetgid, fs.ModeSticky}

// owners are the words between the permissions and the size in a line of LIST: links, owner, group.
// Names that hold spaces are not told apart. A large number of links runs into the permissions.
func (it *item) owners(permissions string, words []token) {
	if len(words) > 0 && number(words[0].text) >= 0 && !octet.IsDigit(permissions[len(permissions)-1]) {
		words = words[1:] // the number of links
	}
	switch len(words) {
	case 1:
		it.attr.Owner = words[0].text
	case 2:
		it.attr.Owner, it.attr.Group = words[0].text, words[1].text
	}
}

// unixFact parses the facts of MLSD that RFC 3659 does not define and that servers share. A name is
// better than a number.
func (it *item) unixFact(key, value string) {
	switch key = strings.ToLower(key); key {
	case "unix.mode":
		n, _ := strconv.ParseUint(value, 8, 32)
		it.attr.Mode = fs.FileMode(n).Perm()
	case "unix.owner":
		it.attr.Owner = cmp.Or(it.attr.Owner, value)
	case "unix.ownername":
		it.attr.Owner = value
	case "unix.group":
		it.attr.Group = cmp.Or(it.attr.Group, value)
	case "unix.groupname":
		it.attr.Group = value
	}
}
