package locator

import (
	"strings"
	"testing"
)

// A TLS twin is one row: both syntaxes parse it by the grammar of the scheme without TLS.
//
// Covers: S21b
func TestExtensions(t *testing.T) {
	t.Parallel()
	for _, s := range Schemes() {
		if !s.Extension {
			continue
		}
		plain := schemes.name(schemes.named(s.Name).grammar, false)
		for _, part := range []string{
			"", "h", "//h", "//h/", "//u:p@h/a%2Fb/c;type=i", "//h/0a%20b", "//h:7070/7a%09b", "//h/a.b/7", "a.b", "*", "a@b", "//h/;x", "//u@h/1", "//h:0990/%7e",
		} {
			for _, p := range []*Parser{RFC1738, Current} {
				u, err := p.Parse(s.Name + ":" + part)
				want, wantErr := p.Parse(plain + ":" + part)
				if (err == nil) != (wantErr == nil) {
					t.Errorf("%s:%s, parsed by %s: %v; as %s %v", s.Name, part, p.Name(), err, plain, wantErr)
					continue
				}
				if err != nil {
					got, want := err.(*SyntaxError), wantErr.(*SyntaxError)
					if got.Offset-len(s.Name) != want.Offset-len(plain) || got.Scheme != s.Name || strings.HasSuffix(want.Rule, "url") && got.Rule != s.Rule {
						t.Errorf("%s:%s, parsed by %s: %v; as %s %v", s.Name, part, p.Name(), got, plain, want)
					}
					continue
				}
				if show(u.Parts()) != show(want.Parts()) || u.Host() != want.Host() || u.View().Scheme() != s.Name || u.Scheme() != s.Name {
					t.Errorf("%s: %v, %v", u, u.Parts(), u.View())
				}
				back, err := Build(u.View())
				if err != nil || !Equal(back, u) {
					t.Errorf("%s: built %s, %v", u, back, err)
				}
			}
		}
	}
}

// Only the row itself tells that there is a TLS twin.
func TestTwinRow(t *testing.T) {
	t.Parallel()
	rows := schemeRows()
	table := newSchemeTable(append(rows, twin(rows[0], "xtwin", 7, 7)))
	row := table.named("XTWIN")
	if row.grammar != ftpGrammar || !row.TLS || !row.Extension || row.Family != "ftp" || row.Rule != "xtwinurl" || row.Port != 7 ||
		!strings.HasPrefix(row.Current, "\nxtwinurl ") || !strings.Contains(row.Productions, `= "xtwin://"`) {
		t.Errorf("%+v", row)
	}
	for _, r := range rows {
		if got := table.named(r.Name); got.Name != r.Name {
			t.Errorf("looking up %s returns %s", r.Name, got.Name)
		}
	}
	for _, name := range []string{"", "overlong9", "ftp"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("a row named %q is accepted", name)
				}
			}()
			newSchemeTable(append(schemeRows(), row0(name)))
		}()
	}
}

func row0(name string) row { return row{Syntax: Syntax{Name: name}} }

// A view with Secure set needs a scheme with a TLS twin.
func TestNoTwin(t *testing.T) {
	t.Parallel()
	for _, v := range []View{&NNTP{Secure: true, Hostport: Hostport{Host: "h"}, Group: "a"}, &News{Secure: true, Kind: NewsAll}} {
		u, err := Build(v)
		if name := v.Scheme(); name == "" && err == nil || name != "" && (err != nil || u.Scheme() != name) {
			t.Errorf("%#v: %v, %v", v, u, err)
		}
	}
}
