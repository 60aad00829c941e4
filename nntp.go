package locator

const nntpProductions = `
nntpurl        = "nntp://" hostport "/" group [ "/" digits ]
group          = alpha *[ alpha | digit | "-" | "." | "+" | "_" ]
`

const nntpPort = 119

func nntpSyntax() *Syntax {
	return &Syntax{
		Name: "nntp", Port: nntpPort, Ports: []uint16{119, 563},
		Rule: "nntpurl", Section: "3.7", Productions: nntpProductions,
	}
}

// nntp reads what follows "nntp:".
func (r *reader) nntp(i int) int {
	if i = r.slashes(i, "nntpurl"); i < 0 {
		return -1
	}
	if i = r.hostport(i); i < 0 {
		return -1
	}
	if i == len(r.s) {
		return r.fail(i, "nntpurl", `"/" and a group`, "")
	}
	if i++; i == len(r.s) || r.t[r.s[i]]&alphaClass == 0 {
		return r.fail(i, "group", "the name of a group, which begins with a letter", "")
	}
	for i < len(r.s) && r.t[r.s[i]]&groupClass != 0 {
		i++
	}
	if i == len(r.s) {
		return r.path(i)
	}
	if r.s[i] != '/' {
		return r.fail(i, "group", `a letter, digit, "-", ".", "+" or "_" of a group`, "a group is written without escapes")
	}
	if i = r.digits(i+1, "digits", "the number of an article", ""); i < 0 {
		return -1
	}
	if i < len(r.s) {
		return r.fail(i, "digits", "a digit of the number of an article", "write the number in decimal, and end there")
	}
	return r.path(i)
}

// nntpPath splits the url-path.
func (u URL) nntpPath() (group string, article Optional) {
	path, _ := u.Path()
	return cutOptional(path, "/")
}

func (u URL) nntpView() *NNTP {
	group, article := u.nntpPath()
	return &NNTP{Hostport: u.hostport(), Group: group, Article: article}
}

func (u URL) nntpParts() []Part {
	group, article := u.nntpPath()
	return []Part{textPart("group", Some(group)), textPart("article", article)}
}

// Scheme is "nntp".
func (v *NNTP) Scheme() string { return "nntp" }

func (v *NNTP) build(b *builder) {
	b.text("//")
	b.hostport(v.Hostport)
	b.text("/")
	b.group(v.Group)
	if article, ok := v.Article.Get(); ok {
		b.text("/")
		b.digits(article, "digits", "3.7", "the number of an article is digits")
	}
}

func (u URL) nntpCanonical(b []byte) []byte {
	path, _ := u.Path()
	return append(append(u.appendHostport(append(b, "//"...)), '/'), path...)
}
