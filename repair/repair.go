package repair

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"locator"
	"locator/internal/octet"
)

// Change is one change that [Parse] made to a text.
type Change struct {
	Offset int    // where it begins, in bytes of the input
	Was    string // what was there; "" if something was inserted
	Now    string // what is there now; "" if something was removed
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

// Parse parses a URL as people paste it, and returns what it changed, in the order of the input. It
// removes white space, quotation marks and brackets around the URL, line breaks in it, and
// punctuation behind it that no URL contains. It adds a missing ":" or "//" and the scheme of a
// name that begins with "www." or "ftp.". It writes slashes for backslashes, characters for those
// of HTML such as "&amp;", and escapes for characters that the syntax does not allow. For
// [locator.RFC1738], it removes a fragment, which is not part of a URL.
//
// A text that p parses is not changed, unless another URL follows its "scheme://", as in
// "https://https://host.dom/", its scheme is hxxp, a dot of its host is "(.)" or "(dot)", or
// "&amp;" separates its fields: then it is certain what was meant, though it names another host or
// an unknown scheme. The host of the result is in the text: Parse invents none, and does not repair
// a login, a host or a port that is wrong. Of a change that may belong to a password, Was and Now
// show "****". If the result would not be a URL, or the text is longer than 64 KiB, the error is
// that of p.
func Parse(p *locator.Parser, text string) (u locator.URL, changes []Change, err error) {
	u, err = p.Parse(text)
	if len(text) <= maxRepaired && (err != nil || misread(text) != nil) {
		r := newRepairer(p, text)
		if v, mended := r.mend(err == nil); mended {
			return v, r.changes(v), nil
		}
	}
	return u, nil, err
}

// maxRepaired is the length of the longest text that is repaired.
const maxRepaired = 64 << 10

// try is p.Parse for a guess, of which only the result counts.
func try(p *locator.Parser, s string) (u locator.URL, ok bool) {
	u, err := p.Parse(s)
	return u, err == nil
}

// repairer changes a text step by step.
type repairer struct {
	p     *locator.Parser
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

func newRepairer(p *locator.Parser, text string) *repairer {
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

// apply makes edits, which are in order and do not overlap. Only a single one may replace a part
// with earlier edits.
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
				if old.begin == old.end { // what was inserted at one end may be beside the part
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

// mend makes all repairs that the text needs. ok is false if it is not a URL even then. If it is a
// URL already, only those of reread are made.
func (r *repairer) mend(isURL bool) (u locator.URL, ok bool) {
	if isURL {
		r.reread()
		return try(r.p, r.text)
	}
	for n, find := range [...]func(*repairer) []edit{
		(*repairer).around, (*repairer).escapedSlashes, (*repairer).scheme, (*repairer).spaces, (*repairer).slashes, (*repairer).folded, (*repairer).messageID, (*repairer).backslashes,
		(*repairer).host, (*repairer).query, (*repairer).entities, (*repairer).behind, (*repairer).fragment, (*repairer).typecode,
		(*repairer).characters, (*repairer).international,
	} {
		if n == 2 && fileName(r.text) != "" {
			return locator.URL{}, false
		}
		list := find(r)
		if len(list) > 0 {
			r.apply(list)
		}
		if r.reread() || len(list) > 0 {
			if u, ok = try(r.p, r.text); ok {
				return u, true
			}
		}
	}
	return locator.URL{}, false
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
func (r *repairer) changes(u locator.URL) []Change {
	var before, after []stretch // passwords of the input and of the result, in order
	for begin, end := range locator.PasswordSpans(r.input) {
		before = append(before, stretch{begin, end})
	}
	for begin, end := range u.PasswordSpans() {
		after = append(after, r.source(begin, end))
	}
	slices.SortStableFunc(r.edits, func(a, b edit) int { // insertions come before replacements
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

// mask is shown for a password, as by [locator.Redact].
const mask = "****"

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

// layout returns the scheme of the text in lower case, and where the authority and the rest after
// it begin. The scheme is "" if there is none, and the authority -1.
func (r *repairer) layout() (scheme string, authority, rest int) {
	i := 0
	for i < len(r.text) && (octet.IsAlphanumeric(r.text[i]) || strings.IndexByte("+-.", r.text[i]) >= 0) {
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

// current reports whether the text is repaired for Current.
func (r *repairer) current() bool { return r.p == locator.Current }
