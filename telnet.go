package locator

const telnetProductions = `
telneturl      = "telnet://" login [ "/" ]
`

// telnetCurrent is RFC 4248 2.
const telnetCurrent = `
telneturl      = "telnet://" authority [ "/" ]
`

// tn3270Current is RFC 6270 2.
const tn3270Current = `
tn3270url      = "tn3270://" authority [ "/" ]
`

// telnet reads what follows "telnet:", or "tn3270:" in Current.
func (r *reader) telnet(i int) int {
	const rule = "telneturl"
	if i = r.slashes(i, rule); i < 0 {
		return -1
	}
	if i = r.login(i); i < 0 || i == len(r.s) {
		return r.noPath(i)
	}
	if i++; i < len(r.s) {
		return r.fail(i, rule, "the end of the URL", `end after the host, or after the "/" behind it`)
	}
	return r.path(i)
}

func (u URL) telnetView() *Telnet {
	d := u.decoder()
	return &Telnet{Login: u.login(&d)}
}

func (u URL) telnetParts() []Part { return []Part{} }

func (u URL) tn3270Parts() []Part { return []Part{textPart("part", Some(u.Part()))} }

func (u URL) tn3270View() *TN3270 {
	d := u.decoder()
	return &TN3270{Login: u.login(&d)}
}

// Scheme is "telnet".
func (v *Telnet) Scheme() string { return "telnet" }

func (v *Telnet) build(b *builder) {
	b.login(v.Login)
	b.text("/")
}

// Scheme is "tn3270".
func (v *TN3270) Scheme() string { return "tn3270" }

func (v *TN3270) build(b *builder) {
	b.login(v.Login)
	b.text("/")
}

func (u URL) telnetCanonical(b []byte) []byte { return append(u.appendLogin(b, undoUnreserved), '/') }
