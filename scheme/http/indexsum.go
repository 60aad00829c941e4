package http

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"

	"locator/scheme"
)

// summary is what a page of caddy says about the number of its entries, such as "1 directory 9999
// files ".
type summary struct {
	text strings.Builder
	in   bool // in a part of it
}

// begin is called at the start tag of a span before the first entry.
func (s *summary) begin(z *html.Tokenizer) {
	for more := true; more; {
		var key, value []byte
		key, value, more = z.TagAttr()
		s.in = s.in || string(key) == "class" && string(value) == "meta-item"
	}
}

// add adds the text of a token.
func (s *summary) add(text string) {
	if s.in && s.text.Len() < maxRow {
		s.text.WriteString(text[:min(len(text), maxRow)])
	}
}

// end is called at each end tag of a span.
func (s *summary) end() {
	s.add(" ")
	s.in = false
}

// caddyMost is the number of entries that caddy reads from a folder.
const caddyMost = 10_000

var counts = regexp.MustCompile(`^([0-9]+) director(?:y|ies) ([0-9]+) files? (\(of which only [0-9]+ are displayed\) )?`)

// partial returns an error if the page has only some of the entries of the folder, or may have.
//
// QUIRK: caddy 2.6.2 reads 10,000 entries of a folder, in no order, and the page does not say that
// there are more. It says how many it leaves out only if it was asked to, by ?limit=N.
func (s *summary) partial() error {
	m := counts.FindStringSubmatch(s.text.String())
	if m == nil {
		return nil
	}
	folders, _ := parseSize(m[1])
	files, _ := parseSize(m[2])
	switch {
	case m[3] != "":
		return scheme.Fail(scheme.CodeUnsupported, "the page has only some of the entries: it says \"%s\"", strings.TrimSpace(m[0]))
	case folders+files == caddyMost:
		return scheme.Fail(scheme.CodeUnsupported, "the page has %d entries, as many as caddy shows at most; there may be more", caddyMost)
	}
	return nil
}
