package prospero

import (
	"strings"
	"testing"

	"locator"
	"locator/scheme/prospero/internal/text"
)

// Whatever a LINK or ATTRIBUTE line has, its URLs are valid, and a file URL comes from a server on
// this computer only.
func FuzzLines(f *testing.F) {
	for _, s := range []string{
		"LINK  L FILE hello.txt INTERNET-D LOCALHOST(21525) ASCII AFTP'/hello.txt' 0\n",
		"LINK  L EXTERNAL ext-ftp INTERNET-D ftp.example.org ASCII '/pub/file.txt' 0\nATTRIBUTE LINK FIELD ACCESS-METHOD AFTP '' '' '' '' BINARY\n",
		"LINK L EXTERNAL x INTERNET-D h(70) ASCII 0'/docs' 0\nATTRIBUTE LINK FIELD ACCESS-METHOD SEQUENCE GOPHER '' '' '' '' TEXT\n",
		"LINK L EXTERNAL x INTERNET-D h ASCII WAIS-GW'/h(210)/TEXT/db/a%3Bb' 0\nATTRIBUTE LINK FIELD ACCESS-METHOD WAIS '' '' '' ''\n",
		"LINK L EXTERNAL x INTERNET-D localhost ASCII '/etc/passwd' 0\nATTRIBUTE LINK FIELD ACCESS-METHOD LOCAL '' '' '' ''\n",
		"ATTRIBUTE OBJECT INTRINSIC SIZE SEQUENCE 15' bytes'\nATTRIBUTE OBJECT INTRINSIC UNIX-MODES SEQUENCE -rw-r--r--\nATTRIBUTE OBJECT INTRINSIC LAST-MODIFIED SEQUENCE 19940517120000Z\n",
		"LINK L FILE '' INTERNET-D ::1 ASCII '' 7\nATTRIBUTE> LINK FIELD ID SEQUENCE REMOTE 5\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		in := text.NewScanner(strings.NewReader(s), 1<<20)
		server := place{host: "192.0.2.1", port: "1525"}
		var last *link
		check := func() {
			if last == nil {
				return
			}
			e, _ := last.entry(server)
			if e.URL.IsZero() {
				return
			}
			if _, err := locator.Current.Parse(e.URL.Text()); err != nil {
				t.Errorf("%q: %v", e.URL.Text(), err)
			}
			if e.URL.Scheme() == "file" {
				t.Errorf("a server elsewhere names the file %s", e.URL)
			}
			if v, ok := locator.As[*locator.Prospero](e.URL); ok && v.Name != last.place.name {
				t.Errorf("%s has the name %q, the link %q", e.URL, v.Name, last.place.name)
			}
		}
		for {
			tokens, err := in.Line()
			if err != nil {
				break
			}
			if k, ok := parseLink(tokens); ok {
				check()
				last = &k
			} else if a, ok := parseAttribute(tokens); ok && last != nil {
				last.attrs = append(last.attrs, a)
			}
		}
		check()
	})
}
