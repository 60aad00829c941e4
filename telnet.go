package locator

const telnetProductions = `
telneturl      = "telnet://" login [ "/" ]
`

const telnetPort = 23

func telnetSyntax() *Syntax {
	return &Syntax{
		Name: "telnet", Port: telnetPort, Ports: []uint16{23, 992},
		Rule: "telneturl", Section: "3.8", Productions: telnetProductions,
	}
}

// telnet reads what follows "telnet:".
func (r *reader) telnet(i int) int {
	if i = r.slashes(i, "telneturl"); i < 0 {
		return -1
	}
	if i = r.login(i); i < 0 || i == len(r.s) {
		return r.noPath(i)
	}
	if i++; i < len(r.s) {
		return r.fail(i, "telneturl", "the end of the URL", `end after the host, or after the "/" behind it`)
	}
	return r.path(i)
}

func (u URL) telnetView() *Telnet { return &Telnet{Login: u.login()} }

func (u URL) telnetParts() []Part { return []Part{} }

// Scheme is "telnet".
func (v *Telnet) Scheme() string { return "telnet" }

func (v *Telnet) build(b *builder) {
	b.login(v.Login)
	b.text("/")
}

func (u URL) telnetCanonical(b []byte) []byte { return append(u.appendLogin(b, undoUnreserved), '/') }
