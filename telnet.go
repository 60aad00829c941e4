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

const telnetPort = 23

func telnetSyntax() *Syntax {
	return &Syntax{
		Name: "telnet", Port: telnetPort, Ports: []uint16{23, 992},
		Rule: "telneturl", Section: "3.8", Productions: telnetProductions,
		CurrentSection: "RFC 4248 2", Current: telnetCurrent,
	}
}

func tn3270Syntax() *Syntax {
	return &Syntax{
		Name: "tn3270", Port: telnetPort, Ports: []uint16{23, 992}, Rule: "tn3270url", Section: "RFC 6270 2",
		CurrentSection: "RFC 6270 2", Current: tn3270Current,
	}
}

// telnet reads what follows "telnet:", or "tn3270:" in Current.
func (r *reader) telnet(i int) int {
	rule := "telneturl"
	if r.u.kind == kindTN3270 {
		rule = "tn3270url"
	}
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
	b.later = true
	b.login(v.Login)
	b.text("/")
}

func (u URL) telnetCanonical(b []byte) []byte { return append(u.appendLogin(b, undoUnreserved), '/') }
