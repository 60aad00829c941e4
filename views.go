package locator

import "fmt"

// As is the view of the URL as a V, such as *FTP; ok is false if the URL is of another scheme.
func As[V View](u URL) (v V, ok bool) {
	v, ok = u.View().(V)
	return v, ok
}

// hostport is the view of host and port.
func (u URL) hostport() Hostport { return Hostport{Host: u.ASCIIHost(), Port: u.Port()} }

// login is the view of user, password, host and port.
func (u URL) login(d *decoder) Login {
	return Login{
		User: d.optional(optional(u.User())), Password: d.optional(optional(u.Password())), Hostport: u.hostport(),
	}
}

// The views that may hold a password print without it, as URLs do.

// String is the URL that the view stands for, redacted, or why there is none.
func (v FTP) String() string { return viewString(&v) }

// Format prints String, whatever the verb, so that a password is never shown.
func (v FTP) Format(f fmt.State, verb rune) { formatView(f, verb, &v) }

// String is the URL that the view stands for, redacted, or why there is none.
func (v HTTP) String() string { return viewString(&v) }

// Format prints String, whatever the verb, so that a password is never shown.
func (v HTTP) Format(f fmt.State, verb rune) { formatView(f, verb, &v) }

// String is the URL that the view stands for, redacted, or why there is none.
func (v Telnet) String() string { return viewString(&v) }

// Format prints String, whatever the verb, so that a password is never shown.
func (v Telnet) Format(f fmt.State, verb rune) { formatView(f, verb, &v) }

// String is the URL that the view stands for, redacted, or why there is none.
func (v TN3270) String() string { return viewString(&v) }

// Format prints String, whatever the verb, so that a password is never shown.
func (v TN3270) Format(f fmt.State, verb rune) { formatView(f, verb, &v) }

// String is the URL that the view stands for, redacted, or why there is none.
func (v News) String() string { return viewString(&v) }

// Format prints String, whatever the verb, so that a password is never shown.
func (v News) Format(f fmt.State, verb rune) { formatView(f, verb, &v) }

// String is the URL that the view stands for, redacted, or why there is none.
func (v NNTP) String() string { return viewString(&v) }

// Format prints String, whatever the verb, so that a password is never shown.
func (v NNTP) Format(f fmt.State, verb rune) { formatView(f, verb, &v) }

// String is the URL that the view stands for, redacted, or why there is none.
func (v Other) String() string { return viewString(&v) }

// Format prints String, whatever the verb, so that a password is never shown.
func (v Other) Format(f fmt.State, verb rune) { formatView(f, verb, &v) }

// String is "user:****@host:port".
func (l Login) String() string {
	if password, ok := l.Password.Get(); ok && password != "" {
		l.Password = Some(mask)
	}
	b := builder{}
	b.login(l)
	if b.err != nil {
		return "(no login: " + b.err.Msg + ")"
	}
	return string(b.buf[len("//"):])
}

// Format prints String, whatever the verb, so that a password is never shown.
func (l Login) Format(f fmt.State, verb rune) {
	formatRedacted(f, verb, l.String(), fmt.Sprintf("locator.Login{%q}", l.String()))
}

// viewString is the redacted URL of a view.
func viewString(v View) string {
	u, err := Build(v)
	if err != nil {
		return "(" + err.Error() + ")"
	}
	return u.Redacted()
}

// formatView prints a view.
func formatView(f fmt.State, verb rune, v View) {
	s := viewString(v)
	formatRedacted(f, verb, s, fmt.Sprintf("%s view {%q}", v.Scheme(), s))
}
