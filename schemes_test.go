package locator

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"locator/internal/bnf"
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
				if !reflect.DeepEqual(u.Parts(), want.Parts()) || u.Host() != want.Host() || u.View().Scheme() != s.Name || u.Scheme() != s.Name {
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

// What a program does with a Syntax changes nothing for others.
func TestSyntaxIsACopy(t *testing.T) {
	t.Parallel()
	for _, s := range append(Schemes(), SyntaxOf("ftp"), SyntaxOf("GOPHER")) {
		for i := range s.Ports {
			s.Ports[i] = 4242
		}
		s.Port, s.TLS, s.Family = 4242, !s.TLS, "x"
	}
	for _, s := range Schemes() {
		if slices.Contains(s.Ports, 4242) || s.Port == 4242 || s.Family == "x" || SyntaxOf(s.Name).Port == 4242 || s.Port != 0 && IsForeignPort(s.Name, s.Port) {
			t.Errorf("%s: %+v", s.Name, s)
		}
	}
	if !IsForeignPort("ftp", 25) || IsForeignPort("ftp", 21) || DefaultPort("ftp") != 21 {
		t.Error("the ports of ftp were changed")
	}
}

// Covers: S5, S20
func TestSyntaxOf(t *testing.T) {
	t.Parallel()
	var names, extensions []string
	for _, s := range Schemes() {
		if got := SyntaxOf(strings.ToUpper(s.Name)); !reflect.DeepEqual(got, s) {
			t.Errorf("SyntaxOf(%s) is %v", s.Name, got)
		}
		if s.Rule == "" || s.Section == "" || DefaultPort(s.Name) != s.Port {
			t.Errorf("%s: incomplete: %+v", s.Name, s)
		}
		if _, reserved := IsReserved(s.Name); reserved == strings.Contains(s.Productions, s.Rule) || reserved && s.Section != s.CurrentSection {
			t.Errorf("%s: incomplete for RFC1738: %+v", s.Name, s)
		}
		if s.CurrentSection == "" || !strings.Contains(s.Current, s.Rule) {
			t.Errorf("%s: incomplete for Current: %+v", s.Name, s)
		}
		if family := SyntaxOf(s.Family); family == nil || family.TLS || s.Extension && !s.TLS {
			t.Errorf("%s: got the family %q", s.Name, s.Family)
		}
		if s.Extension {
			extensions = append(extensions, s.Name)
		} else {
			names = append(names, s.Name)
		}
	}
	if got := strings.Join(names, " "); got != "ftp http gopher mailto news nntp telnet wais file prospero https mid cid nfs tn3270 z39.50r z39.50s" {
		t.Errorf("got the schemes %s", got)
	}
	for _, name := range []string{"ftps", "gophers", "telnets"} {
		if !slices.Contains(extensions, name) {
			t.Errorf("got the extensions %s", extensions)
		}
	}
	for _, name := range []string{"", "x-y", "afs", "mailserver", "z39.50", "prosperos", "mailservers"} {
		if SyntaxOf(name) != nil {
			t.Errorf("SyntaxOf(%q) is not nil", name)
		}
	}
	if RFC1738.Name() != "rfc1738" || Current.Name() != "current" {
		t.Error("the syntaxes have wrong names")
	}
}

// Covers: S20
func TestReserved(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"afs": "", "mid": "2392", "cid": "2392", "nfs": "2224", "tn3270": "6270", "mailserver": "6196", "z39.50": "",
		"z39.50r": "2056", "z39.50s": "2056",
	}
	if len(Reserved()) != len(want) {
		t.Errorf("%d reserved names", len(Reserved()))
	}
	for name, rfc := range want {
		r, ok := IsReserved(strings.ToUpper(name))
		if !ok || r.Name != name || r.RFC != rfc || r.Meaning == "" {
			t.Errorf("IsReserved(%s) is %v, %v", name, r, ok)
		}
		if _, err := Parse(name + "://h/x"); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{"", "ftp", "x-nfs"} {
		if _, ok := IsReserved(name); ok {
			t.Errorf("%q is a reserved name", name)
		}
	}
	if !IsExperimental("X-mine") || !IsExperimental("x-") || IsExperimental("x") || IsExperimental("ax-b") {
		t.Error(`a scheme is experimental if and only if its name begins with "x-"`)
	}
}

// The comments of the parsers have all productions of the RFC.
//
// Covers: S1
func TestProductions(t *testing.T) {
	t.Parallel()
	grammar := bnf.RFC1738()
	texts := []string{CommonProductions, otherProductions}
	for _, s := range Schemes() {
		if s.Productions != "" && s.Name != "https" && !s.Extension {
			texts = append(texts, s.Productions)
			if _, ok := grammar.Rule(s.Rule); !ok {
				t.Errorf("%s: no rule %q", s.Name, s.Rule)
			}
		}
	}
	have := map[string]bool{}
	for _, text := range texts {
		part, err := bnf.Parse(text)
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		for _, line := range grammar.Diff(part) {
			t.Error(line)
		}
		for _, rule := range part.Rules() {
			have[rule.Name] = true
		}
	}
	for _, rule := range grammar.Rules() {
		if !have[rule.Name] {
			t.Errorf("no parser has the production of rule %s", rule.Name)
		}
	}
}

// Covers: P1
func TestIsForeignPort(t *testing.T) {
	t.Parallel()
	if !slices.IsSorted(badPorts) {
		t.Error("the bad ports are not sorted")
	}
	for _, s := range Schemes() {
		if s.Port != 0 && !slices.Contains(s.Ports, s.Port) {
			t.Errorf("%s: the default port is not among its ports", s.Name)
		}
		for port := range uint16(2000) {
			_, bad := slices.BinarySearch(badPorts, port)
			want := !slices.Contains(s.Ports, port) && (bad || port < 1024 && s.Name != "http" && s.Name != "https")
			if got := IsForeignPort(s.Name, port); got != want {
				t.Errorf("%s, port %d: %v, want %v", s.Name, port, got, want)
			}
		}
	}
	if !IsForeignPort("x-new", 1023) || IsForeignPort("x-new", 1024) || !IsForeignPort("HTTP", 6000) || IsForeignPort("FTP", 21) {
		t.Error("an unknown scheme, or one in upper case, has a different result")
	}
}

// agreeHost compares the two parsers of a host with each other and with the grammar.
func agreeHost(t *testing.T, s string) {
	t.Helper()
	r := reader{s: s, t: strictTable}
	want, offset := bnf.RFC1738().Match("host", s)
	end, ok := r.plainHost(0)
	if (ok && end == len(s)) != want {
		t.Fatalf("plainHost(%q) = %d, %v; the grammar says %v", s, end, ok, want)
	}
	if end, ok = r.scanHost(0); want != (ok && end == len(s)) || !want && end != offset {
		t.Fatalf("scanHost(%q) = %d, %v; the grammar says %v, %d", s, end, ok, want, offset)
	}
}

// hostText returns a random text that may be a host.
func hostText(r *rand.Rand) string {
	const chars = "aZ09--..1_%/:"
	var b strings.Builder
	for range r.IntN(24) {
		b.WriteByte(chars[r.IntN(len(chars)-r.IntN(5))])
	}
	return b.String()
}

// Covers: S4
func TestHost(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1738, 0))
	for range 12_000 {
		agreeHost(t, hostText(r))
		agreeHost(t, bnf.RFC1738().Generate("host", r, 20))
	}
}

func FuzzHost(f *testing.F) {
	r := rand.New(rand.NewPCG(31, 32))
	for range 60 {
		f.Add(hostText(r))
		f.Add(bnf.RFC1738().Generate("host", r, 20))
	}
	f.Fuzz(func(t *testing.T, s string) { agreeHost(t, s) })
}
