package locator

// grammar is the syntax that schemes share: ftp and ftps have the same. Each has a file scheme_*.go, whose functions the four
// functions below call.
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
	midGrammar
	cidGrammar
	nfsGrammar
	tn3270Grammar
	z3950Grammar
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
	case telnetGrammar, tn3270Grammar:
		return r.telnet(i)
	case waisGrammar:
		return r.wais(i)
	case fileGrammar:
		return r.file(i)
	case prosperoGrammar:
		return r.prospero(i)
	case midGrammar:
		return r.mid(i)
	case cidGrammar:
		return r.cid(i)
	case nfsGrammar:
		return r.nfs(i)
	case z3950Grammar:
		return r.z3950(i)
	}
	return r.other(i)
}

// View returns the decoded parts of the URL, nil for the zero URL.
func (u URL) View() View {
	switch u.grammar() {
	case ftpGrammar:
		return u.ftpView()
	case httpGrammar:
		return u.httpView()
	case gopherGrammar:
		return u.gopherView()
	case mailtoGrammar:
		return u.mailtoView()
	case newsGrammar:
		return u.newsView()
	case nntpGrammar:
		return u.nntpView()
	case telnetGrammar:
		return u.telnetView()
	case waisGrammar:
		return u.waisView()
	case fileGrammar:
		return u.fileView()
	case prosperoGrammar:
		return u.prosperoView()
	case midGrammar:
		return u.midView()
	case cidGrammar:
		return u.cidView()
	case nfsGrammar:
		return u.nfsView()
	case tn3270Grammar:
		return u.tn3270View()
	case z3950Grammar:
		return u.z3950View()
	case otherGrammar:
		return u.otherView()
	}
	return nil
}

// Parts returns the parts of the url-path, or of what stands in its place, as written: split like the view of the scheme,
// but still escaped. Their names and order are those of the "view" of the command "parse --json". User, password, host and
// port are not among them. The part named "part", which every scheme has that RFC 1738 does not define, holds the whole of
// it, password included; to show parts to anyone, take those of the Redacted text.
func (u URL) Parts() []Part {
	switch u.grammar() {
	case ftpGrammar:
		return u.ftpParts()
	case httpGrammar:
		return u.httpParts()
	case gopherGrammar:
		return u.gopherParts()
	case mailtoGrammar:
		return u.mailtoParts()
	case newsGrammar:
		return u.newsParts()
	case nntpGrammar:
		return u.nntpParts()
	case telnetGrammar:
		return u.telnetParts()
	case waisGrammar:
		return u.waisParts()
	case fileGrammar:
		return u.fileParts()
	case prosperoGrammar:
		return u.prosperoParts()
	case midGrammar:
		return u.midParts()
	case cidGrammar:
		return u.cidParts()
	case nfsGrammar:
		return u.nfsParts()
	case tn3270Grammar:
		return u.tn3270Parts()
	case z3950Grammar:
		return u.z3950Parts()
	case otherGrammar:
		return u.otherParts()
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
		return u.mailtoCanonical(b)
	case newsGrammar:
		return u.newsCanonical(b)
	case nntpGrammar:
		return u.nntpCanonical(b)
	case telnetGrammar, tn3270Grammar:
		return u.telnetCanonical(b)
	case waisGrammar:
		return u.waisCanonical(b)
	case fileGrammar:
		return u.fileCanonical(b)
	case prosperoGrammar:
		return u.prosperoCanonical(b)
	case midGrammar, cidGrammar:
		return u.midCanonical(b)
	case nfsGrammar:
		return u.nfsCanonical(b)
	case z3950Grammar:
		return u.z3950Canonical(b)
	}
	return u.otherCanonical(b)
}

// grammar returns the grammar of the URL's scheme.
func (u URL) grammar() grammar { return u.row().grammar }
