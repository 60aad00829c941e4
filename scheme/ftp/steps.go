package ftp

import (
	"locator"
	"locator/scheme"
	"locator/wire"
)

// Steps returns the commands for access to an ftp URL, as in RFC 1738 3.2.2: "CONNECT host.dom:21",
// "USER myname", "PASS ****" ("PASS ?" if the password would be asked for), "CWD /etc", "TYPE I",
// "RETR motd". A null segment is "CWD " with the space. They are escaped, and passwords are masked.
// Commands that depend on the server are omitted: those for data connections, FEAT, TLS, a LIST
// instead of MLSD.
//
// It fails with code CodeRefused if a part of the URL cannot be sent (RFC 1738 section 6); access
// then sends nothing.
func (Scheme) Steps(u locator.URL) ([]string, error) {
	p, err := newPlace(scheme.Request{URL: u}, options{})
	if err != nil {
		return nil, err
	}
	steps := []string{"CONNECT " + wire.Escape(p.addr)}
	show := func(l wire.Line) { steps = append(steps, l.String()) }
	if !p.login.User.IsSet() {
		if p.credentials, err = anonymous(""); err != nil {
			return nil, err
		}
	}
	show(p.userLine)
	if p.password.IsSet() {
		show(p.passLine)
	} else {
		steps = append(steps, "PASS ?")
	}
	for _, dir := range p.dirs {
		l, _ := argument("CWD", "directory", dir)
		show(l)
	}
	if p.op == retrieve {
		show(typeLine(p.typ))
	}
	show(p.commands[0])
	return steps, nil
}
