package xecho

import (
	"errors"
	"strings"
	"testing"

	"locator"
	"locator/scheme"
	"locator/wire"
)

// Covers: S20, P2
func TestSteps(t *testing.T) {
	t.Parallel()
	tests := []struct {
		url   string
		steps string // joined by "|"
		code  scheme.Code
	}{
		{"x-echo://host.dom/", "CONNECT host.dom:10738|LIST ", scheme.CodeOK},
		{"x-echo://host.dom/a%20b", "CONNECT host.dom:10738|GET a b", scheme.CodeOK},
		{"X-ECHO://host.dom:1738/a/b/", "CONNECT host.dom:1738|LIST a/b/", scheme.CodeOK},
		{"x-echo://host.dom/a%2Fb", "CONNECT host.dom:10738|GET a/b", scheme.CodeOK},
		{"x-echo://host.dom/%FF", `CONNECT host.dom:10738|GET \xff`, scheme.CodeOK},
		{"x-echo://[::1]/a", "CONNECT [::1]:10738|GET a", scheme.CodeOK},
		{"x-echo://host.dom", "", scheme.CodeMalformed},
		{"x-echo://alice@host.dom/a", "", scheme.CodeMalformed},
		{"x-echo:a", "", scheme.CodeMalformed},
		{"x-echo://host.dom/a%0D%0APUT%20b", "", scheme.CodeRefused},
		{"x-echo://host.dom/a%00", "", scheme.CodeRefused},
	}
	for _, tt := range tests {
		u, err := locator.Current.Parse(tt.url)
		if err != nil {
			t.Errorf("%s: %v", tt.url, err)
			continue
		}
		steps, err := New().Steps(u)
		if got := strings.Join(steps, "|"); got != tt.steps {
			t.Errorf("%s: steps %q, want %q", tt.url, got, tt.steps)
		}
		if got := codeOf(err); got != tt.code {
			t.Errorf("%s: code %v, want %v: %v", tt.url, got, tt.code, err)
		}
	}
}

func codeOf(err error) scheme.Code {
	var e *scheme.Error
	var unsafe *wire.UnsafeError
	switch {
	case err == nil:
		return scheme.CodeOK
	case errors.As(err, &unsafe):
		return scheme.CodeRefused // as the client has it
	case errors.As(err, &e):
		return e.Code
	}
	return scheme.CodeProtocol
}

// Every name becomes a URL that means it: in the strict grammar, too.
//
// Covers: S17, S20
func TestURL(t *testing.T) {
	t.Parallel()
	names := []string{"", "a", "a/", "a b", "%", "%41", "?#;:@&=+$,~", "\"<>{}|\\^[]`"}
	for c := range 256 {
		names = append(names, string([]byte{'x', byte(c), 'y'}))
	}
	for _, name := range names {
		u, err := URL("host.dom:1738", name)
		if err != nil {
			t.Errorf("%q: %v", name, err)
			continue
		}
		if _, err := locator.RFC1738.Parse(u.Text()); err != nil {
			t.Errorf("%q: %v", name, err)
		}
		p, err := placeOf(u)
		if err != nil || p.name != name || p.host != "host.dom:1738" || p.addr != "host.dom:1738" {
			t.Errorf("%q: %s is read as %+v, %v", name, u, p, err)
		}
	}
	if u, err := URL("two words", "a"); err == nil {
		t.Errorf("a host of two words makes %s", u)
	}
}

// A line of a folder is foreign: whatever it holds, what comes out is an error or a URL that means the name.
//
// Covers: P2, P6
func FuzzEntry(f *testing.F) {
	for _, line := range []string{"5 name", "- folder/", "0 a b", "x name", "-1 name", "5", "5 ", " ", "9 \x00\x1b[2J", "1 \xff", "1 /", "1 ../x"} {
		f.Add(line)
	}
	at := place{host: "host.dom", name: "dir/"}
	f.Fuzz(func(t *testing.T, line string) {
		e, err := entry(at, line)
		if err != nil {
			if codeOf(err) != scheme.CodeProtocol {
				t.Errorf("%q: code %v, want %v", line, codeOf(err), scheme.CodeProtocol)
			}
			return
		}
		_, name, _ := strings.Cut(line, " ")
		p, err := placeOf(e.URL)
		if err != nil || p.name != "dir/"+name {
			t.Errorf("%q: the URL %s means %q (%v), want %q", line, e.URL, p.name, err, "dir/"+name)
		}
		if p.folder() != (e.Kind == scheme.KindListing) {
			t.Errorf("%q: kind %v, but folder is %v", line, e.Kind, p.folder())
		}
		if n, known := e.Attr.Size.Get(); known && n < 0 {
			t.Errorf("%q: size %d", line, n)
		}
	})
}

// Covers: P6
func TestRefusal(t *testing.T) {
	t.Parallel()
	for reply, want := range map[string]scheme.Code{
		"-missing nothing": scheme.CodeNotFound,
		"-missing":         scheme.CodeNotFound,
		"-busy":            scheme.CodeUnavailable,
		"-missingno":       scheme.CodeProtocol,
		"-":                scheme.CodeProtocol,
		"":                 scheme.CodeProtocol,
		"\x1b[2J":          scheme.CodeProtocol,
	} {
		err := refusal(reply)
		if got := codeOf(err); got != want {
			t.Errorf("%q: code %v, want %v", reply, got, want)
		}
		if strings.ContainsFunc(err.Error(), func(r rune) bool { return r < ' ' }) {
			t.Errorf("%q: the error %q is not escaped", reply, err)
		}
	}
}
