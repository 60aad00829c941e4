package locator

const mailtoProductions = `
mailtourl      = "mailto:" encoded822addr
encoded822addr = 1*xchar               ; further defined in RFC822
`

func mailtoSyntax() *Syntax {
	return &Syntax{
		Name: "mailto", Ports: []uint16{25, 465, 587},
		Rule: "mailtourl", Section: "3.5", Productions: mailtoProductions,
	}
}

// mailto reads what follows "mailto:".
func (r *reader) mailto(i int) int {
	if i == len(r.s) {
		return r.fail(i, "encoded822addr", "a mail address", "")
	}
	if i = r.whole(i, xcharClass, "encoded822addr"); i < 0 {
		return -1
	}
	return r.noPath(i)
}

func (u URL) mailtoView() *Mailto { return &Mailto{Address: Decode(u.Part())} }

func (u URL) mailtoParts() []Part { return []Part{textPart("address", Some(u.Part()))} }

// Scheme is "mailto".
func (v *Mailto) Scheme() string { return "mailto" }

func (v *Mailto) build(b *builder) {
	if v.Address == "" {
		b.fail(0, "encoded822addr", "3.5", "the address is empty", "set Address to a mail address")
	}
	b.escaped(v.Address, xcharClass)
}

// mailtoCanonical folds nothing: what the domain is, and whether case counts before it, is known to RFC 822 only.
func (u URL) mailtoCanonical(b []byte) []byte { return appendUndone(b, u.Part(), undoMailto) }
