package schemetest

import (
	"bytes"
	"io"
	"mime"
	"reflect"
	"slices"
	"strings"
	"time"

	"locator"
	"locator/internal/bnf"
	"locator/scheme"
)

// checkRoundTrip accesses every file of the tree and compares its contents.
//
// Covers: S17, S18
func checkRoundTrip(s *stage) {
	c := s.client()
	served := 0
	for _, f := range s.h.tree() {
		name := strings.Join(f.Path, "/")
		u := s.server.URL(f.Path...)
		if u.IsZero() {
			s.Logf("the server has no URL for %q", name)
			continue
		}
		served++
		s.checkURL(u, strictParser(u))
		t := s.take(s.ctx, c, scheme.Request{URL: u})
		switch {
		case t.err != nil:
			s.Errorf("%q: %v", name, t.err)
			continue
		case t.res.Kind != scheme.KindObject:
			s.Errorf("%q: kind %v, want object", name, t.res.Kind)
			continue
		case t.res.URL.IsZero():
			s.Errorf("%q: Resource.URL is not set", name)
		case !s.sameContent(f.Path, string(t.body), f.Content):
			s.Errorf("%q: %d bytes, want %d\n\thave %.80q\n\twant %.80q", name, len(t.body), len(f.Content), t.body, f.Content)
		}
		s.checkAttr(name, t.res.Attr, f, len(t.body))
	}
	if served == 0 {
		s.Fatalf("the server has no URL for any file of the tree; if the scheme has no files, set Harness.Alone")
	}
	s.readInSteps()
}

// readInSteps reads the large file with Read only, without the io.WriterTo of the Body.
func (s *stage) readInSteps() {
	u, content := s.file("big.bin")
	s.within(s.times.patience, "reading by Read alone", func() {
		res, err := s.client().Access(s.ctx, scheme.Request{URL: u}, nil)
		if err != nil {
			s.Errorf("%v", err)
			return
		}
		defer res.Close()
		var b bytes.Buffer
		if _, err := io.Copy(&b, struct{ io.Reader }{res.Body}); err != nil || b.String() != content {
			s.Errorf("by Read alone: %d bytes and error %v, want %d bytes, the same as by WriteTo", b.Len(), err, len(content))
		}
	})
}

// strictParser returns the RFC1738 parser for the ten schemes of RFC 1738, and Current for others.
func strictParser(u locator.URL) *locator.Parser {
	if slices.Contains(bnf.Schemes(), u.Scheme()) {
		return locator.RFC1738
	}
	return locator.Current
}

// checkURL checks that a URL is valid and can be built from its view.
func (s *stage) checkURL(u locator.URL, parser *locator.Parser) {
	s.Helper()
	if built, ok := s.checkBuild(u, parser); ok && built.Canonical() != u.Canonical() {
		s.Errorf("%s: built from its view it is %s, another locator", u.Redacted(), built.Redacted())
	}
}

// checkBuild checks that a URL is valid, and that a URL built from its view has the same view. The
// text may differ, since a server may escape characters that need no escape.
func (s *stage) checkBuild(u locator.URL, parser *locator.Parser) (built locator.URL, ok bool) {
	s.Helper()
	again, err := parser.Parse(u.Text())
	if err != nil {
		s.Errorf("%s is no URL of %s: %v", u.Redacted(), parser.Name(), err)
		return built, false
	}
	if built, err = locator.Build(again.View()); err != nil {
		s.Errorf("%s: its own view cannot be built: %v", u.Redacted(), err)
		return built, false
	}
	if !reflect.DeepEqual(built.View(), again.View()) {
		s.Errorf("%s: built from its view it is %s, which has other parts", u.Redacted(), built.Redacted())
		return built, false
	}
	return built, true
}

// checkAttr checks the known attributes of a file. read is the length of its body, -1 if it was not
// read.
func (s *stage) checkAttr(name string, a scheme.Attr, f File, read int) {
	s.Helper()
	if size, ok := a.Size.Get(); ok && !s.checkSize(f, size, read) {
		s.Errorf("%q: Attr.Size is %d; the file has %d bytes; what is not known stays unknown", name, size, len(f.Content))
	}
	if a.Type != "" {
		if _, _, err := mime.ParseMediaType(a.Type); err != nil {
			s.Errorf("%q: Attr.Type %q is no media type: %v", name, a.Type, err)
		}
	}
	// A listing may have only the day, in an unknown time zone.
	if !a.Modified.IsZero() && a.Modified.Sub(f.Modified).Abs() > 24*time.Hour {
		s.Errorf("%q: Attr.Modified is %v, want %v or unknown", name, a.Modified, f.Modified)
	}
	if n, ok := a.Lines.Get(); ok && n < 0 {
		s.Errorf("%q: Attr.Lines is %d", name, n)
	}
}

func (s *stage) checkSize(f File, size int64, read int) bool {
	if size == int64(len(f.Content)) {
		return true
	}
	if !s.h.Text || !strings.HasSuffix(f.Path[len(f.Path)-1], ".txt") {
		return false
	}
	crlf := len(f.Content) + strings.Count(f.Content, "\n")
	return size == int64(read) || size == int64(crlf)
}

// checkAnswers accesses the URL of Harness.Alone.
func checkAnswers(s *stage) {
	u := s.h.Alone(s.server)
	parser := strictParser(u)
	if drafts(s.h) { // RFC 1738 has no header fields
		parser = locator.Current
	}
	s.checkURL(u, parser)
	t := s.take(s.ctx, s.client(), scheme.Request{URL: u})
	if t.err != nil {
		s.Fatalf("%v", t.err)
	}
	if t.res.URL.IsZero() {
		s.Errorf("Resource.URL is not set")
	}
	set := map[scheme.Kind]bool{
		scheme.KindObject:   t.res.Body != nil,
		scheme.KindListing:  t.res.Entries != nil,
		scheme.KindQuery:    t.res.Form != nil && len(t.res.Form.Fields) == 1,
		scheme.KindForm:     t.res.Form != nil && len(t.res.Form.Fields) > 0,
		scheme.KindSession:  t.res.Session != nil,
		scheme.KindDraft:    t.res.Draft != nil,
		scheme.KindReferral: len(t.res.Next) > 0,
	}
	if !set[t.res.Kind] {
		s.Errorf("a resource of kind %v lacks what that kind has", t.res.Kind)
	}
}
