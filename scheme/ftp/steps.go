package ftp

import (
	"locator"
	"locator/scheme"
	"locator/wire"
)

// Steps is [Steps]: it makes the scheme a scheme.Explainer.
func (Scheme) Steps(u locator.URL) ([]string, error) { return Steps(u) }

// Steps gives the commands that access to an ftp URL means, in the words of RFC 1738 3.2.2: "CONNECT host.dom:21",
// "USER myname", "PASS ****" ("PASS ?" where the password would be asked for), "CWD /etc", "TYPE I", "RETR motd". A
// null segment is "CWD " with the blank. They are escaped, and no password is among them. What a server may make
// needless or necessary besides is no step: data connections, FEAT, TLS, a LIST in the place of MLSD.
//
// The error is of code Refused where a part of the URL cannot be sent (RFC 1738 section 6); access then sends nothing.
func Steps(u locator.URL) ([]string, error) {
	p, err := newPlan(scheme.Request{URL: u}, wishes{})
	if err != nil {
		return nil, err
	}
	steps := []string{"CONNECT " + wire.Escape(p.addr())}
	show := func(l wire.Line) { steps = append(steps, l.String()) }
	if !p.login.User.IsSet() {
		user, pass, err := anonymous("")
		if err != nil {
			return nil, err
		}
		show(user)
		show(pass)
	} else {
		show(p.user)
		if p.login.Password.IsSet() {
			show(p.pass)
		} else {
			steps = append(steps, "PASS ?")
		}
	}
	for _, d := range p.dirs {
		show(d.cwd[0])
	}
	if p.do == retrieve {
		show(typeLine(p.typ))
	}
	show(p.commands[0])
	return steps, nil
}
