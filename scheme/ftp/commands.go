package ftp

import (
	"strings"

	"locator/scheme"
	"locator/scheme/internal/dialogue"
	"locator/wire"
)

// The command lines of RFC 959 that carry parts of a URL. No other file makes them: a session sends
// these lines and Steps shows them.

func typeLine(t byte) wire.Line {
	if t == ascii {
		return dialogue.Bare("TYPE A")
	}
	return dialogue.Bare("TYPE I")
}

// argument makes a command line. The space before an empty argument stays: "CWD " has a null
// argument (RFC 1738 3.2.2). Its errors have the code of a refusal by policy (P2).
func argument(verb, what, arg string) (wire.Line, error) {
	l, err := wire.Command(verb, what, telnet(arg))
	return l, refused(err)
}

// secret is argument with a mask in the place of the argument.
func secret(verb, what, arg string) (wire.Line, error) {
	l, err := wire.Secret(verb, what, telnet(arg))
	return l, refused(err)
}

// iac is the byte that begins a command of the Telnet protocol, which control connections use
// (RFC 959 3.1).
const iac = "\xff"

// telnet escapes IAC by doubling it (RFC 854).
func telnet(arg string) string { return strings.ReplaceAll(arg, iac, iac+iac) }

// spellings returns the lines to try for an argument, best first.
//
// QUIRK: vsftpd 3.0.3 and pure-ftpd 1.0.50 take a doubled IAC for two bytes of the name, proftpd
// 1.3.8 for one. If a server refuses the doubled form, the bytes are sent as they are, unless a
// server that implements Telnet could take the IAC and the next byte for a command. No server
// refuses the name of a new file: unless a name with IAC was read before on that connection, it is
// stored under the doubled form.
func spellings(verb, what, arg string) ([]wire.Line, error) {
	l, err := argument(verb, what, arg)
	if err != nil {
		return nil, err
	}
	lines := []wire.Line{l}
	if raw, err := wire.Command(verb, what, arg); err == nil && loneIAC(arg) {
		lines = append(lines, raw)
	}
	return lines, nil
}

// loneIAC reports whether arg holds an IAC, and each IAC is followed by a byte that begins no
// Telnet command.
func loneIAC(arg string) bool {
	found := false
	for i := 0; i < len(arg); i++ {
		if arg[i] != iac[0] {
			continue
		}
		if i+1 == len(arg) || arg[i+1] >= 240 {
			return false
		}
		found = true
	}
	return found
}

// The transfer types (RFC 959 3.1.1).
const (
	ascii byte = 'a'
	image byte = 'i'
)

// operation is what is done at the end of the path.
type operation uint8

// The operations.
const (
	retrieve operation = iota // RETR
	names                     // NLST: ";type=d"
	list                      // MLSD, LIST or NLST, whichever the server has: no name, or an empty one
	write                     // STOR, APPE, STOU: never from the URL alone
)

// lines returns the spellings of the command at the end of the path (RFC 1738 3.2.2), best first.
func (a operation) lines(name string) ([]wire.Line, error) {
	switch {
	case a == retrieve:
		return spellings("RETR", "name", name)
	case a == names && name != "":
		return spellings("NLST", "name", name)
	case a == names:
		return []wire.Line{dialogue.Bare("NLST")}, nil
	}
	return []wire.Line{dialogue.Bare("MLSD")}, nil
}

// refused returns an error of package wire with the code of a refusal by policy.
func refused(err error) error {
	if err == nil {
		return nil
	}
	return scheme.Fail(scheme.CodeRefused, "%w", err)
}
