package vet

import (
	"flag"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"locator"
)

var update = flag.Bool("update", false, "write the verdicts of testdata/attacks.tsv anew")

// The list has URLs as attackers write them, by class, and the verdict on each: "refused" by
// Current, or the codes of its findings. docs/internals/hazards-measured.md says why some have
// none.
//
// RFC 1738 is never more silent than Current: it refuses the URL too, or has the same findings and
// perhaps more. If Current alone refuses the URL, there is a finding that says so. The same holds
// for the https twin of each http URL.
//
// Covers: P3, S4, T207
func TestAttacks(t *testing.T) {
	t.Parallel()
	const name = "testdata/attacks.tsv"
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	silent := 0
	for i, line := range lines[1:] {
		cells := strings.Split(line, "\t")
		if len(cells) != 3 {
			t.Fatalf("%s:%d: %d columns, want 3", name, i+2, len(cells))
		}
		text, err := strconv.Unquote(`"` + cells[1] + `"`)
		if err != nil {
			t.Fatalf("%s:%d: %v", name, i+2, err)
		}
		verdict := judge(t, text)
		if twin, ok := strings.CutPrefix(text, "http:"); ok {
			judge(t, "https:"+twin)
		}
		if verdict == "" {
			silent++
		}
		if lines[i+1] = cells[0] + "\t" + cells[1] + "\t" + verdict; verdict != cells[2] && !*update {
			t.Errorf("%s:%d: %s: %q, want %q", name, i+2, cells[1], verdict, cells[2])
		}
	}
	t.Logf("%d URLs, %d without a finding", len(lines)-1, silent)
	if *update {
		if err := os.WriteFile(name, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// judge returns the verdict on a URL by Current, and checks that RFC 1738 is not more silent.
func judge(t *testing.T, text string) string {
	t.Helper()
	verdict := "refused"
	u, err := locator.Current.Parse(text)
	if err == nil {
		verdict = codes(u)
	}
	strict, strictErr := locator.RFC1738.Parse(text)
	if strictErr != nil {
		return verdict
	}
	has := strings.Fields(codes(strict))
	for _, code := range strings.Fields(verdict) {
		if code == "refused" {
			code = "later-syntax"
		}
		if !slices.Contains(has, code) {
			t.Errorf("%q: RFC 1738 has the findings %q, and not %s", text, has, code)
		}
	}
	return verdict
}

// A URL that RFC 1738 parses is judged as Current parses it, too.
//
// Covers: P3, T207
func TestStrictlyParsed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"https://0x7f.1/":                                 "numeric-host",
		"https://127.0.0.1?x":                             "local-address",
		"https://host.dom:99999?x":                        "no-port",
		"x://127.0.0.1?y":                                 "local-address",
		"news://127.0.0.1/a@b.dom":                        "local-address",
		"mailto:a@b.dom?bcc=c@d.dom":                      "unsafe-header no-mail-address",
		"https://u:p@host_a/":                             "password userinfo single-label",
		"https://host.dom/a":                              "",
		"https://0xa9.0xfe.0xa9.0xfe:80,www.host.dom:80/": "later-syntax",
		"nfs://h:x/":                                      "later-syntax",
		"x:a":                                             "",
	} {
		u, err := locator.RFC1738.Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := codes(u); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// FuzzURL checks that RFC 1738 is never more silent than Current, and that every message is one
// line of ASCII.
//
// Covers: P3
func FuzzURL(f *testing.F) {
	data, err := os.ReadFile("testdata/attacks.tsv")
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if text, err := strconv.Unquote(`"` + strings.Split(line, "\t")[1] + `"`); err == nil {
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		judge(t, text)
		for _, p := range []*locator.Parser{locator.RFC1738, locator.Current} {
			u, err := p.Parse(text)
			if err != nil {
				continue
			}
			for _, found := range URL(u) {
				if strings.ContainsFunc(found.Message, func(c rune) bool { return c < ' ' || c > '~' }) || len(found.Message) > 1000 {
					t.Errorf("%q: message %q", text, found.Message)
				}
			}
		}
	})
}
