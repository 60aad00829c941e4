package locator

// grammar is the syntax that schemes share: ftp and ftps have the same. Each has a file scheme_*.go, whose functions the two
// switches below call.
type grammar uint8

const (
	noGrammar grammar = iota // of the zero URL
	otherGrammar
	ftpGrammar
	httpGrammar
	gopherGrammar
	mailtoGrammar
	newsGrammar
	nntpGrammar
	telnetGrammar
	waisGrammar
	fileGrammar
	prosperoGrammar
)

// read parses what follows the scheme and its colon. It is a switch and not a column of the table because a call through a
// function value would move the reader to the heap.
func (g grammar) read(r *reader, i int) int {
	switch g {
	case httpGrammar:
		return r.http(i)
	case ftpGrammar:
		return r.ftp(i)
	case gopherGrammar:
		return r.gopher(i)
	case mailtoGrammar:
		return r.mailto(i)
	case newsGrammar:
		return r.news(i)
	case nntpGrammar:
		return r.nntp(i)
	case telnetGrammar:
		return r.telnet(i)
	case waisGrammar:
		return r.wais(i)
	case fileGrammar:
		return r.file(i)
	case prosperoGrammar:
		return r.prospero(i)
	}
	return r.other(i)
}

// View returns the decoded parts of the URL, nil for the zero URL.
func (u URL) View() View {
	if v := u.row().view; v != nil {
		return v.of(u)
	}
	return nil
}

// Parts returns the parts of the url-path, or of what stands in its place, as written: split like the view of the scheme,
// but still escaped. Their names and order are those of the object "view" that the command "locator parse --json" prints. User, password, host and
// port are not among them. The part named "part", which every scheme has that RFC 1738 does not define, holds the whole of
// it, password included; to show parts to anyone, take those of the Redacted text.
func (u URL) Parts() []Part {
	if v := u.row().view; v != nil {
		return v.parts(u)
	}
	return nil
}

// canonical appends the canonical form of what follows the colon to b. A call through a function value would move b to the
// heap.
func (g grammar) canonical(u URL, b []byte) []byte {
	switch g {
	case ftpGrammar:
		return u.ftpCanonical(b)
	case httpGrammar:
		return u.httpCanonical(b)
	case gopherGrammar:
		return u.gopherCanonical(b)
	case mailtoGrammar:
		return appendUndone(b, u.SchemePart(), undoMailto) // only RFC 822 knows what the domain is, and whether case counts before it
	case newsGrammar:
		return u.newsCanonical(b)
	case nntpGrammar:
		return u.pathCanonical(b, undoGroup)
	case telnetGrammar, waisGrammar, prosperoGrammar:
		return u.pathCanonical(b, undoUnreserved)
	case fileGrammar:
		return u.fileCanonical(b)
	}
	return u.otherCanonical(b)
}

// grammar returns the grammar of the URL's scheme.
func (u URL) grammar() grammar { return u.row().grammar }
