package telnet

import (
	"slices"
	"strings"
)

// maxTerminalType is the longest name of a terminal type (RFC 1091 restricts it to 40 characters).
const maxTerminalType = 40

// terminalTypes returns the names to send for the terminal type of the environment, best first: the
// type, and then the type that it extends. Names are in upper case, as in the registry of IANA;
// servers do not depend on the case. A charset of the IBM PC means a bulletin board, which knows
// the terminal of such a computer as ANSI.
func terminalTypes(term, charset string) []string {
	var names []string
	add := func(name string) {
		name = strings.ToUpper(name)
		valid := strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-+./_") == ""
		if name != "" && valid && len(name) <= maxTerminalType && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if isPC(charset) {
		add("ANSI")
	}
	add(term)
	base, _, _ := strings.Cut(term, "-")
	add(base)
	if len(names) == 0 {
		add("UNKNOWN")
	}
	return names
}
