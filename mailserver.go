package locator

// mailServerCurrent is the syntax that RFC 6196 records: address, subject and body. The scheme is historic.
const mailServerCurrent = `
mailserverurl  = "mailserver:" 1*pchar [ "/" *pchar [ "/" *xchar ] ]
`

func mailServerSyntax() *Syntax {
	return &Syntax{
		Name: "mailserver", Ports: []uint16{25, 465, 587}, Rule: "mailserverurl", Section: "RFC 6196",
		CurrentSection: "RFC 6196", Current: mailServerCurrent,
	}
}

// mailServer reads what follows "mailserver:".
func (r *reader) mailServer(i int) int {
	begin := i
	if i = r.span(i, pcharClass); i < 0 {
		return -1
	}
	if i == begin {
		return r.fail(i, "mailserverurl", "the address of a mail server", "")
	}
	if r.at(i, '/') {
		if i = r.span(i+1, pcharClass); i < 0 {
			return -1
		}
	}
	if r.at(i, '/') {
		if i = r.span(i+1, xcharClass); i < 0 {
			return -1
		}
	}
	if i < len(r.s) {
		return r.fail(i, "mailserverurl", "", "")
	}
	return r.noPath(i)
}

func (u URL) mailServerSplit() (address string, subject, body Optional) {
	address, rest := cutOptional(u.Part(), "/")
	if s, ok := rest.Get(); ok {
		s, body = cutOptional(s, "/")
		subject = Some(s)
	}
	return address, subject, body
}

func (u URL) mailServerView() *MailServer {
	address, subject, body := u.mailServerSplit()
	return &MailServer{Address: Decode(address), Subject: subject.decoded(), Body: body.decoded()}
}

func (u URL) mailServerParts() []Part {
	address, subject, body := u.mailServerSplit()
	return []Part{textPart("part", Some(u.Part())), textPart("address", Some(address)), textPart("subject", subject), textPart("body", body)}
}

// Scheme is "mailserver".
func (v *MailServer) Scheme() string { return "mailserver" }

func (v *MailServer) build(b *builder) {
	b.later = true
	if v.Address == "" {
		b.fail(0, "mailserverurl", "RFC 6196", "the address is empty", "set Address to a mail address")
	}
	b.currentEscaped(v.Address, pcharClass)
	subject, hasSubject := v.Subject.Get()
	body, hasBody := v.Body.Get()
	if hasBody && !hasSubject {
		b.fail(0, "body", "RFC 6196", "there is a body but no subject before it", "set Subject; it may be empty")
	}
	if hasSubject {
		b.text("/")
		b.currentEscaped(subject, pcharClass)
	}
	if hasBody {
		b.text("/")
		b.currentEscaped(body, xcharClass)
	}
}

func (u URL) mailServerCanonical(b []byte) []byte { return appendUndone(b, u.Part(), undoUnreserved) }
