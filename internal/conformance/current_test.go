package conformance

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"locator"
	"locator/internal/hostname"
	"locator/internal/octet"
)

// contradiction returns why Current may reject a URL of RFC1738, or parse it into different parts:
// the list of decision
// 0004. It returns "" if Current must return the same parts.
func contradiction(u locator.URL) string {
	part := u.SchemePart()
	user, _ := u.User()
	password, _ := u.Password()
	switch {
	case !octet.IsLetter(u.Text()[0]):
		return "a scheme begins with a letter (RFC 3986 3.1)"
	case locator.SyntaxOf(u.Scheme()) != nil && grammar(u) == "other":
		return "the scheme has a rule of its own (RFC 9110 4.2.2, 6270, 6196, 2392, 2224, 2056)"
	case strings.Contains(user+password, "?"):
		return `a "?" ends the authority (RFC 3986 3.2)`
	case grammar(u) == "news" && strings.HasPrefix(part, "//"):
		return "a server begins the part (RFC 5538 4)"
	case grammar(u) == "mailto" && strings.ContainsAny(part, "?,"):
		return "header fields, and several addresses (RFC 6068 2)"
	case grammar(u) == "other" && strings.HasPrefix(part, "//") && !u.HasHost():
		return `"//" begins an authority (RFC 3986 3)`
	}
	return ""
}

// currentAgrees checks that Current accepts every URL of RFC1738 with the same parts, except where
// a later RFC contradicts, and names a clause for every URL that only Current accepts.
func currentAgrees(t testing.TB, s string) {
	t.Helper()
	strict, strictErr := locator.RFC1738.Parse(s)
	why := ""
	if strictErr == nil {
		why = contradiction(strict)
		if found := strict.Clauses(); (found != nil) != isExtension(strict) {
			t.Fatalf("%q is valid by RFC 1738, but has the clauses %v", s, found)
		}
	}
	u, err := locator.Current.Parse(s)
	if err != nil {
		checkError(t, s, err)
		if strictErr == nil && why == "" {
			t.Fatalf("Current refuses %q: %v", s, err)
		}
		return
	}
	checkParts(t, u)
	checkClauses(t, u, strictErr, why)
	if strictErr == nil && why == "" && !sameParts(u, strict) {
		t.Fatalf("Current parses %q differently", s)
	}
	if _, ok := u.Fragment(); ok {
		whole := u.WithoutFragment()
		if back, err := locator.Current.Parse(whole.Text()); err != nil || back != whole || whole.Canonical() != u.Canonical() {
			t.Fatalf("%q without its fragment is a different URL", s)
		}
	}
	checkASCII(t, u)
}

// sameParts reports whether Current has parsed a URL into the same parts as RFC1738.
func sameParts(u, strict locator.URL) bool {
	return pieceList(u) == pieceList(strict) && u.HasHost() == strict.HasHost() && u.SchemePart() == strict.SchemePart()
}

// checkClauses checks that Clauses names a clause for every URL that RFC 1738 rejects, in order and
// within the text.
func checkClauses(t testing.TB, u locator.URL, strictErr error, why string) {
	t.Helper()
	clauses := u.Clauses()
	if strictErr != nil && len(clauses) == 0 {
		t.Fatalf("no clause allows %q, which RFC 1738 rejects: %v", u.Text(), strictErr)
	}
	if strictErr == nil && why == "" && (clauses != nil) != isExtension(u) {
		t.Fatalf("%q is valid by RFC 1738, but has the clauses %v", u.Text(), clauses)
	}
	if strictErr == nil && why != "" && len(clauses) == 0 {
		t.Fatalf("no clause for the different parts of %q: %s", u.Text(), why)
	}
	last := 0
	for _, c := range clauses {
		if c.Section == "" || !strings.HasPrefix(c.Section, "RFC ") || c.What == "" || c.Offset < last || c.Offset > len(u.Text()) {
			t.Fatalf("%q has the clauses %v", u.Text(), clauses)
		}
		last = c.Offset
	}
	if strictErr != nil && clauses[0].Offset > strictErr.(*locator.SyntaxError).Offset {
		t.Fatalf("%q: the first clause is for byte %d, but RFC 1738 stops at %v", u.Text(), clauses[0].Offset, strictErr)
	}
}

// checkASCII checks that the ASCII form and the readable form are equivalent to the URL.
func checkASCII(t testing.TB, u locator.URL) {
	t.Helper()
	ascii := u.ASCII()
	if !octet.IsASCII(ascii.Text()) || ascii.ASCII() != ascii || !locator.Equal(u, ascii) || !octet.IsASCII(u.Canonical().Text()) {
		t.Fatalf("the ASCII form of %q is %q, with the canonical forms %q and %q", u.Text(), ascii.Text(), u.Canonical().Text(), ascii.Canonical().Text())
	}
	if !octet.IsASCII(u.ASCIIHost()) || hostname.ASCII(u.ASCIIHost()) != u.ASCIIHost() {
		t.Fatalf("the host of %q in ASCII is %q", u.Text(), u.ASCIIHost())
	}
	if !reflect.DeepEqual(ascii.View(), u.View()) && grammar(ascii) != "other" {
		t.Fatalf("the ASCII form of %q, %q, has a different view", u.Text(), ascii.Text())
	}
	readable, err := locator.Current.Parse(u.Readable())
	if err != nil || u.Redacted() == u.Text() && !locator.Equal(readable, u) {
		t.Fatalf("the readable form of %q is %q (%v), with the canonical form %q, want %q", u.Text(), u.Readable(), err, readable.Canonical().Text(), u.Canonical().Text())
	}
}

// Covers: S1, S21f, S22
func TestCurrentAgrees(t *testing.T) {
	t.Parallel()
	seeded(t, 4, func(t *testing.T, r *rand.Rand) {
		for range 10_000 {
			currentAgrees(t, currentText(r))
		}
	})
}

// Covers: S21a, S21b, S21c, S21d, S21e, S21f, S22
func TestCurrentViews(t *testing.T) {
	t.Parallel()
	for _, c := range currentViews {
		u, err := locator.Current.Parse(c.text)
		if err != nil {
			t.Error(err)
			continue
		}
		fragment, ok := u.Fragment()
		if !ok {
			fragment = "-"
		}
		if got := show(u.Parts()) + " | " + fragment; got != c.parts {
			t.Errorf("%s has the parts\n  %s, want\n  %s", c.text, got, c.parts)
		}
		if c.view != nil && !reflect.DeepEqual(u.View(), c.view) {
			t.Errorf("%s has the view %#v, want %#v", c.text, u.View(), c.view)
		}
		if got := u.View().Scheme(); got != u.Scheme() {
			t.Errorf("the view of %s is of scheme %q", c.text, got)
		}
		var clauses []string
		for _, clause := range u.Clauses() {
			clauses = append(clauses, fmt.Sprintf("%d %s", clause.Offset, clause.Section))
		}
		if got := strings.Join(clauses, ", "); got != c.clauses {
			t.Errorf("%s has the clauses %q, want %q", c.text, got, c.clauses)
		}
		currentAgrees(t, c.text)
		agreeCurrent(t, c.text)
	}
}

// Covers: S2, S21a, S21b, S21c, S21d, S21e, S21f
func TestCurrentErrors(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	for _, c := range currentErrors {
		_, err := locator.Current.Parse(c.text)
		if err == nil {
			t.Errorf("Current reads %q", c.text)
			continue
		}
		if e := checkError(t, c.text, err); e.Offset != c.offset || e.Rule != c.rule {
			t.Errorf("%q: %s at %d, want %s at %d: %v", c.text, e.Rule, e.Offset, c.rule, c.offset, err)
		}
		agreeCurrent(t, c.text)
		fmt.Fprintf(&all, "%q\n\t%s\n", c.text, err)
	}
	golden(t, "current-errors.golden", all.String())
}

// Current accepts the examples of RFC 1738 with the same views, except for the contradictions.
func TestCurrentReadsViews(t *testing.T) {
	t.Parallel()
	for _, c := range views {
		strict := locator.MustParse(c.text)
		u, err := locator.Current.Parse(c.text)
		if err != nil {
			t.Error(err)
			continue
		}
		if contradiction(strict) == "" && !sameParts(u, strict) {
			t.Errorf("Current parses %s differently", c.text)
		}
	}
}

func FuzzCurrent(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		f.Add(currentText(r))
	}
	f.Fuzz(func(t *testing.T, s string) {
		currentAgrees(t, s)
		u, err := locator.Current.Parse(s)
		if err != nil {
			return
		}
		if v := u.View(); v.Scheme() != u.Scheme() {
			t.Fatalf("%q has a view of %q", s, v.Scheme())
		}
		u.Parts()
		checkRedacted(t, u)
	})
}

// checkRedacted checks that the redacted text is a URL with the same parts except the password.
func checkRedacted(t testing.TB, u locator.URL) {
	t.Helper()
	r, err := locator.Current.Parse(u.Redacted())
	if err != nil || r.Scheme() != u.Scheme() {
		t.Fatalf("%q is redacted to %q (%v)", u.Text(), u.Redacted(), err)
	}
	if password, _ := u.Password(); password != "" {
		if got, _ := r.Password(); got != "****" || r.Host() != u.Host() || r.Canonical().SchemePart() == "" {
			t.Fatalf("%q is redacted to %q", u.Text(), u.Redacted())
		}
	}
}
