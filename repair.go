package locator

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"locator/internal/octet"
)

// This file, mend.go, characters.go and guess.go are the only places that know what the author of a text meant that is no URL. A mend keeps
// what the text says; a guess may not, and is only suggested in an error. [URL.Hint] is for a URL that is read in another way than meant.

// Change is one change that [Parser.Repair] made to a text.
type Change struct {
	Offset int    // where it begins, in bytes of the input
	Was    string // what stood there; "" if something was inserted
	Now    string // what stands there now; "" if something was removed
	Why    string // for people; its words may change
}

// String returns the change for people, in one line.
func (c Change) String() string {
	what := strconv.Quote(c.Was) + " becomes " + strconv.Quote(c.Now)
	switch {
	case c.Was == "":
		what = "added " + strconv.Quote(c.Now)
	case c.Now == "":
		what = "removed " + strconv.Quote(c.Was)
	}
	return "byte " + strconv.Itoa(c.Offset) + ": " + what + ": " + c.Why
}

// Repair parses a URL as people paste it, and returns what it changed, in the order of the input. It removes white space, quotation marks
// and brackets around the URL, line breaks in it, and punctuation behind it that no URL contains. It adds a missing ":" or "//" and the
// scheme of a name that begins with "www." or "ftp.". It writes slashes for backslashes, characters for those of HTML such as "&amp;", and
// escapes for characters that the syntax does not allow. For RFC1738, it removes a fragment, which is no part of a URL.
//
// A text that p parses is not changed, unless another URL follows its "scheme://", as in "https://https://host.dom/", its scheme is hxxp, a dot of its
// host is "(.)" or "(dot)", or "&amp;" separates its fields: then it is certain what was meant, though it names another host or an unknown scheme. The host of the result stands in the text: Repair invents none, and does not repair a login, a host or a
// port that is wrong. Of a change that may belong to a password, Was and Now show "****". If the result would be no URL, or the text is longer than
// 64 KiB, the error is that of [Parser.Parse].
func (p *Parser) Repair(text string) (u URL, changes []Change, err error) {
	u, ok := p.try(text)
	if len(text) <= maxRepaired && (!ok || misread(text) != nil) {
		r := newRepairer(p, text)
		if v, mended := r.mend(ok); mended {
			return v, r.changes(v), nil
		}
	}
	if ok {
		return u, nil, nil
	}
	_, err = p.Parse(text)
	return URL{}, nil, err
}

// maxRepaired is the length of the longest text that is repaired.
const maxRepaired = 64 << 10

// try is Parse without the work of making an error.
func (p *Parser) try(s string) (URL, bool) {
	q := *p
	q.bare = true
	u, err := q.Parse(s)
	return u, err == nil
}

// repairer changes a text step by step.
type repairer struct {
	p     *Parser
	input string
	text  string    // with the edits so far
	from  []stretch // what each byte of the text stands for in the input; at its end, the end of the input
	edits []edit    // with offsets in the input
}

// stretch is a part of the input.
type stretch struct{ begin, end int }

// edit replaces a part of a text.
type edit struct {
	begin, end int
	now, why   string
	minor      bool // the error of the parser says as much
}

func newRepairer(p *Parser, text string) *repairer {
	r := &repairer{p: p, input: text, text: text, from: make([]stretch, len(text)+1)}
	for i := range r.from {
		r.from[i] = stretch{i, i + 1}
	}
	return r
}

// source returns what a part of the text stands for.
func (r *repairer) source(begin, end int) stretch {
	if begin == end {
		return stretch{r.from[begin].begin, r.from[begin].begin}
	}
	return stretch{r.from[begin].begin, r.from[end-1].end}
}

// apply makes edits, which are in order and do not overlap. Only a single one may replace a part with earlier edits.
func (r *repairer) apply(list []edit) {
	var b strings.Builder
	from := make([]stretch, 0, len(r.from)+len(list))
	done := 0
	for _, e := range list {
		source := r.source(e.begin, e.end)
		b.WriteString(r.text[done:e.begin])
		from = append(from, r.from[done:e.begin]...)
		b.WriteString(e.now)
		for range len(e.now) {
			from = append(from, source)
		}
		done = e.end
		if len(list) == 1 && e.begin < e.end {
			first, last := r.from[e.begin], r.from[e.end-1]
			r.edits = slices.DeleteFunc(r.edits, func(old edit) bool {
				if old.begin == old.end { // what was inserted at one end may stand beside the part
					inside := old.begin > source.begin && old.begin < source.end
					return inside || first == (stretch{old.begin, old.begin}) || last == (stretch{old.begin, old.begin})
				}
				return old.begin >= source.begin && old.end <= source.end
			})
		}
		e.begin, e.end = source.begin, source.end
		r.edits = append(r.edits, e)
	}
	b.WriteString(r.text[done:])
	r.text, r.from = b.String(), append(from, r.from[done:]...)
}

// mend makes all mends that the text needs. ok is false if it is no URL even so. Only those of reread are made if it is a URL already.
func (r *repairer) mend(isURL bool) (u URL, ok bool) {
	if isURL {
		r.reread()
		return r.p.try(r.text)
	}
	for n, find := range [...]func(*repairer) []edit{
		(*repairer).around, (*repairer).escapedSlashes, (*repairer).scheme, (*repairer).spaces, (*repairer).slashes, (*repairer).folded, (*repairer).messageID, (*repairer).backslashes,
		(*repairer).host, (*repairer).query, (*repairer).entities, (*repairer).behind, (*repairer).fragment, (*repairer).typecode,
		(*repairer).characters, (*repairer).international,
	} {
		if n == 2 && fileName(r.text) != "" {
			return URL{}, false
		}
		list := find(r)
		if len(list) > 0 {
			r.apply(list)
		}
		if r.reread() || len(list) > 0 {
			if u, ok = r.p.try(r.text); ok {
				return u, true
			}
		}
	}
	return URL{}, false
}

// reread makes the mends that a URL may need, too. It reports whether there were any.
func (r *repairer) reread() (changed bool) {
	for list := misread(r.text); list != nil; list = misread(r.text) {
		r.apply(list)
		changed = true
	}
	return changed
}

// changes returns what was changed. u is the result.
func (r *repairer) changes(u URL) []Change {
	var before, after []stretch // passwords of the input and of the result, in order
	for begin, end := range passwordSpans(r.input) {
		before = append(before, stretch{begin, end})
	}
	for begin, end := range u.passwordSpans() {
		after = append(after, r.source(begin, end))
	}
	slices.SortStableFunc(r.edits, func(a, b edit) int { // what is inserted stands before what is replaced
		return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(min(a.end-a.begin, 1), min(b.end-b.begin, 1)))
	})
	done := 0
	r.edits = slices.DeleteFunc(r.edits, func(e edit) bool { // what a later edit replaced, too
		covered := e.begin < done
		done = max(done, e.end)
		return covered
	})
	list := make([]Change, 0, len(r.edits))
	for _, e := range r.edits {
		c := Change{Offset: e.begin, Was: r.input[e.begin:e.end], Now: e.now, Why: e.why}
		if e.touches(before) || e.touches(after) {
			c = c.masked()
		}
		list = append(list, c)
	}
	return list
}

// touches reports whether an edit is in or next to one of some parts, which are in order.
func (e *edit) touches(parts []stretch) bool {
	i, _ := slices.BinarySearchFunc(parts, e.begin, func(s stretch, begin int) int { return cmp.Compare(s.end, begin) })
	return i < len(parts) && parts[i].begin <= e.end
}

// masked returns the change without what it shows of a password.
func (c Change) masked() Change {
	if c.Was != "" {
		c.Was = mask
	}
	if c.Now != "" {
		c.Now = mask
	}
	c.Why = "a byte of the password must be escaped"
	return c
}

// suggestion returns what is wrong with a text that p does not parse, and which URL was probably meant. The message is "" if that of the
// parser is good, the hint if nothing is known.
func (p *Parser) suggestion(text string) (msg, hint string) {
	if len(text) > maxHinted {
		return "", ""
	}
	masked := Redact(text)
	if _, ok := p.try(masked); ok { // the mistake is in the password
		if twoAts(text) == "" {
			return "", ""
		}
		return atInLogin, didYouMean(masked)
	}
	inner := newRepairer(p, masked)
	inner.apply(inner.around())
	for _, by := range [...]*Parser{p, Current} {
		r := newRepairer(by, masked)
		u, ok := r.mend(false)
		i := slices.IndexFunc(r.edits, func(e edit) bool { return !e.minor })
		if ok && i >= 0 {
			return r.edits[i].why, didYouMean(u.text)
		}
	}
	for _, g := range guesses {
		for _, t := range [...]string{masked, inner.text} {
			if hint = didYouMean(g.meant(t)); hint != "" {
				return g.msg, hint
			}
		}
	}
	return "", ""
}

// maxHinted is the length of the longest text for which a URL is suggested. Longer ones make no readable message.
const maxHinted = 300

// didYouMean returns the hint for a guess, "" if the guess is no URL. The empty text is none.
func didYouMean(guess string) string {
	u, ok := Current.try(guess)
	if !ok {
		return ""
	}
	// Redact masks what may be a password even if the guess has another reading.
	return `did you mean "` + Redact(u.ASCII().Redacted()) + `"?`
}

// layout returns the scheme of the text in lower case, and where the authority and the rest after it begin. The scheme is "" if there is none, and
// the authority -1.
func (r *repairer) layout() (scheme string, authority, rest int) {
	i := 0
	for i < len(r.text) && strictTable[r.text[i]]&schemeClass != 0 {
		i++
	}
	if i == 0 || i == len(r.text) || r.text[i] != ':' {
		return "", -1, len(r.text)
	}
	scheme, rest, authority = octet.Lower(r.text[:i]), i+1, -1
	if strings.HasPrefix(r.text[rest:], "//") {
		authority = rest + 2
		rest = authority + indexOrEnd(r.text[authority:], "/?#")
	}
	return scheme, authority, rest
}

// indexOrEnd returns the offset of the first of some characters, or the length of the text.
func indexOrEnd(s, chars string) int {
	if i := strings.IndexAny(s, chars); i >= 0 {
		return i
	}
	return len(s)
}
