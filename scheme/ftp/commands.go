package ftp

import (
	"strings"

	"locator/scheme"
	"locator/wire"
)

// The command lines of RFC 959 that carry parts of a URL. They are made here alone: a visit sends these lines and Steps
// shows them.

func userLine(user string) (wire.Line, error) {
	return argument("USER", "user name", user)
}

// passLine shows an empty password as such: there is nothing to hide, and RFC 1738 3.1 tells it from none.
func passLine(password string) (wire.Line, error) {
	l, err := wire.Secret("PASS", "password", telnet(password))
	if password == "" {
		l = l.Masked("PASS ")
	}
	return l, err
}

// anonymous is the login of RFC 1738 3.2.1 where the URL names no user.
func anonymous(mail string) (user, pass wire.Line, err error) {
	if user, err = userLine("anonymous"); err != nil {
		return user, pass, err
	}
	pass, err = wire.Secret("PASS", "mail address", telnet(mail))
	return user, pass, unsafeAsRefused(err)
}

func acctLine(account string) (wire.Line, error) {
	return wire.Secret("ACCT", "account", telnet(account))
}

func typeLine(t byte) wire.Line {
	if t == ascii {
		return bare("TYPE A")
	}
	return bare("TYPE I")
}

// argument keeps the blank before an empty argument: "CWD " has a null one (RFC 1738 3.2.2).
func argument(verb, what, arg string) (wire.Line, error) {
	return wire.Command(verb, what, telnet(arg))
}

// bare makes a line of words of this package. They hold nothing to refuse.
func bare(words string) wire.Line {
	l, _ := wire.Bare(words)
	return l
}

// iac is the octet that begins a command of the Telnet protocol, which control connections follow (RFC 959 3.1).
const iac = "\xff"

// telnet doubles IAC, so that it is data (RFC 854).
func telnet(arg string) string { return strings.ReplaceAll(arg, iac, iac+iac) }

// spellings gives the lines that may be tried for an argument, best first.
//
// QUIRK: vsftpd 3.0.3 and pure-ftpd 1.0.50 take a doubled IAC for two octets of the name, proftpd 1.3.8 for one. So
// where a server refuses the doubled form, the octets are sent as they are, unless what follows the IAC could be read
// as a Telnet command by a server that knows the protocol. The name of a new file is refused by neither: it is stored
// under the doubled form where nothing was read there before.
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

// loneIAC reports whether arg holds an IAC, and each is followed by an octet that begins no Telnet command.
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

// access is what is done at the end of the path.
type access uint8

// The ways of access.
const (
	retrieve access = iota // RETR
	names                  // NLST: ";type=d"
	list                   // MLSD, LIST or NLST, as the server can: no name, or an empty one
	write                  // STOR, APPE, STOU: not by the URL alone
)

// lines are the spellings of the command that ends the path (RFC 1738 3.2.2), best first.
func (a access) lines(name string) ([]wire.Line, error) {
	switch {
	case a == retrieve:
		return spellings("RETR", "name", name)
	case a == names && name != "":
		return spellings("NLST", "name", name)
	case a == names:
		return []wire.Line{bare("NLST")}, nil
	}
	return []wire.Line{bare("MLSD")}, nil
}

// unsafeAsRefused makes an error of package wire one of policy (P2).
func unsafeAsRefused(err error) error {
	if err == nil {
		return nil
	}
	return scheme.Fail(scheme.CodeRefused, "%w", err)
}
