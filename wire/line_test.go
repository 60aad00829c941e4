package wire_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"locator/wire"
)

// sent returns the bytes that Send writes.
func sent(t testing.TB, opt wire.Options, l wire.Line) string {
	t.Helper()
	here, there := net.Pipe()
	c := wire.NewConn(here, opt)
	got := make(chan string, 1)
	go func() {
		b, _ := io.ReadAll(there)
		got <- string(b)
	}()
	if err := c.Send(l); err != nil {
		t.Errorf("Send: %v", err)
	}
	c.Close()
	return <-got
}

// Covers: P2
func TestLineOctets(t *testing.T) {
	t.Parallel()
	must := func(l wire.Line, err error) wire.Line {
		if err != nil {
			t.Errorf("unexpected: %v", err)
		}
		return l
	}
	for _, c := range []struct {
		name, want, trace string
		line              wire.Line
	}{
		{"a command", "CWD etc\r\n", "CWD etc", must(wire.Command("CWD", "name", "etc"))},
		{"a null segment keeps the blank (RFC 1738 3.2.2)", "CWD \r\n", "CWD ", must(wire.Command("CWD", "name", ""))},
		{"octets beyond ASCII", "RETR caf\xe9\xff\r\n", `RETR caf\xe9\xff`, must(wire.Command("RETR", "name", "caf\xe9\xff"))},
		{"an escape sequence is sent as data, and traced escaped", "RETR \x1b[2J\r\n", `RETR \x1b[2J`, must(wire.Command("RETR", "name", "\x1b[2J"))},
		{"a bare word", "PASV\r\n", "PASV", must(wire.Bare("PASV"))},
		{"a secret", "PASS hunter2\r\n", "PASS ****", must(wire.Secret("PASS", "password", "hunter2"))},
		{"fields", "0/a b\t+\t1\r\n", `0/a b\x09+\x091`, must(wire.Fields([]string{"selector"}, "0/a b", "+", "1"))},
		{"one field", "\r\n", "", must(wire.Fields(nil, ""))},
		{"no line", "\r\n", "", wire.Line{}},
		{
			"a form (RFC 1738 3.4.9)", "sel\t+\t1\r\n+-1\r\nJane\r\nhunter2\r\n.\r\n", `sel\x09+\x091\x0d\x0a+-1\x0d\x0aJane\x0d\x0a****\x0d\x0a.`,
			wire.Lines(
				must(wire.Fields(nil, "sel", "+", "1")), must(wire.Bare("+-1")), must(wire.Bare("Jane")),
				must(wire.Bare("hunter2")).Masked("****"), must(wire.Bare("."))),
		},
		{"joined without a secret", "a\r\nb\r\n", `a\x0d\x0ab`, wire.Lines(must(wire.Bare("a")), must(wire.Bare("b")))},
		{"nothing joined", "\r\n", "", wire.Lines()},
	} {
		t.Run(c.name, func(t *testing.T) {
			var trace []string
			got := sent(t, wire.Options{Sent: func(l string) { trace = append(trace, l) }}, c.line)
			if got != c.want {
				t.Errorf("sent %q, want %q", got, c.want)
			}
			if len(trace) != 1 || trace[0] != c.trace {
				t.Errorf("trace %q, want one line %q", trace, c.trace)
			}
		})
	}
}

// Covers: P2, T12
func TestLineRefuses(t *testing.T) {
	t.Parallel()
	for c := range 256 {
		octet := string([]byte{byte(c)})
		split := octet == "\r" || octet == "\n" || octet == "\x00"
		for _, text := range []string{octet, "a" + octet + "b", "QUIT" + octet} {
			made := map[string]func() (wire.Line, error){
				"argument":      func() (wire.Line, error) { return wire.Command("CWD", "argument", text) },
				"verb":          func() (wire.Line, error) { return wire.Bare(text) },
				"secret":        func() (wire.Line, error) { return wire.Secret("PASS", "secret", text) },
				"second field":  func() (wire.Line, error) { return wire.Fields([]string{"selector", "second field"}, "x", text) },
				"field":         func() (wire.Line, error) { return wire.Fields(nil, text) },
				"verb (secret)": func() (wire.Line, error) { return wire.Secret(text, "secret", "x") },
				"verb (line)":   func() (wire.Line, error) { return wire.Command(text, "argument", "x") },
			}
			for what, build := range made {
				l, err := build()
				refused := split || octet == "\t" && strings.HasSuffix(what, "field")
				if !refused {
					if err != nil {
						t.Errorf("%s %q: %v", what, text, err)
					}
					continue
				}
				var unsafe *wire.UnsafeError
				if !errors.As(err, &unsafe) || unsafe.Octet != byte(c) {
					t.Errorf("%s %q: error %v, want one of the octet", what, text, err)
					continue
				}
				if name, _, _ := strings.Cut(what, " ("); unsafe.What != name {
					t.Errorf("the error names %q, want %q", unsafe.What, name)
				}
				if l != (wire.Line{}) {
					t.Errorf("%s %q: a line came with the error: %q", what, text, l)
				}
			}
		}
	}
}

// Covers: P2, T77
func TestUnsafeErrorShowsNoText(t *testing.T) {
	t.Parallel()
	_, err := wire.Secret("PASS", "password", "hunter2\r\nDELE x")
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Fatalf("error %v, want one without the password", err)
	}
	for _, want := range []string{"password", "%0D"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %q does not name %q", err, want)
		}
	}
}

// Covers: P3
func TestSecretsStayMasked(t *testing.T) {
	t.Parallel()
	l, err := wire.Secret("PASS", "password", "hunter2")
	if err != nil {
		t.Fatal(err)
	}
	joined := wire.Lines(wire.Line{}, wire.Lines(l, l))
	for _, l := range []wire.Line{l, joined, joined.Masked("x")} {
		for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
			if got := fmt.Sprintf(format, l); strings.Contains(got, "hunter2") || strings.Contains(got, "68756e74657232") {
				t.Errorf("%s shows the secret: %s", format, got)
			}
		}
	}
	if got := fmt.Sprint(joined); strings.Count(got, "PASS ****") != 2 {
		t.Errorf("joined lines are shown as %q", got)
	}
}

// FuzzLine checks that Send writes one line with one line end, or nothing, whatever the parts.
//
// Covers: P2
func FuzzLine(f *testing.F) {
	for _, seed := range []string{"", "etc", "a\r\nQUIT", "a\nb", "a\rb", "\x00", "\t", "caf\xe9", "\xff\xf4"} {
		f.Add("RETR", seed)
		f.Add(seed, "x")
	}
	f.Fuzz(func(t *testing.T, verb, arg string) {
		bare, err := wire.Bare(verb)
		if err != nil {
			bare, _ = wire.Bare("")
		}
		for _, made := range []func() (wire.Line, error){
			func() (wire.Line, error) { return wire.Command(verb, "argument", arg) },
			func() (wire.Line, error) { return wire.Secret(verb, "argument", arg) },
			func() (wire.Line, error) { return wire.Bare(arg) },
			func() (wire.Line, error) { return wire.Fields(nil, verb, arg) },
		} {
			l, err := made()
			if err != nil {
				var unsafe *wire.UnsafeError
				if !errors.As(err, &unsafe) {
					t.Fatalf("error %v of type %T", err, err)
				}
				if l != (wire.Line{}) {
					t.Fatalf("a line came with an error: %q", l)
				}
				continue
			}
			if got := sent(t, wire.Options{}, l); strings.IndexAny(got, "\r\n\x00") != len(got)-2 || !strings.HasSuffix(got, "\r\n") {
				t.Fatalf("sent %q", got)
			}
			got := sent(t, wire.Options{}, wire.Lines(l, bare, l))
			if parts := strings.Split(got, "\r\n"); len(parts) != 4 || strings.ContainsAny(strings.Join(parts, ""), "\r\n\x00") {
				t.Fatalf("three lines were sent as %q", got)
			}
			if shown := l.String(); !printableASCII(shown) {
				t.Fatalf("shown as %q", shown)
			}
		}
	})
}
