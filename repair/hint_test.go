package repair

import (
	"testing"

	"locator"
)

// URLs that were probably not meant as they are read.
//
// Covers: S3, P3
func TestHint(t *testing.T) {
	t.Parallel()
	const (
		typed = `the first character of the path was read as the item type; `
		query = `the words of a search follow "%09", not "?"; `
	)
	for _, c := range []struct{ text, why, want string }{
		{"localhost:8080/x", "", "http://localhost:8080/x"},
		{"www.x.org:80", "", "http://www.x.org:80"},
		{"ftp.x.org:21/pub", "", "ftp://ftp.x.org:21/pub"},
		{"me:secret@ftp.x.org/pub", "", "ftp://me:****@ftp.x.org/pub"},
		{"C:/Users", "", "file:///C:/Users"},
		{"htp://h/", "", "http://h/"},
		{"hhttp://h/", "", "http://h/"},
		{"htttps://h/", "", "https://h/"},
		{"fttp://me:secret@h/", "", "ftp://me:****@h/"},
		{"gohper://h/", "", "gopher://h/"},
		{"ttp://h/", "", "http://h/"},
		{"mailo:a@b", "", "mailto:a@b"},
		{"http://ftp://h/x", "", "ftp://h/x"},
		{"file://etc/passwd", "", "file:///etc/passwd"},
		{"gopher://h/text.txt", typed, "gopher://h/0/text.txt"},
		{"gopher://h:7070/docs/", typed, "gopher://h:7070/1/docs/"},
		{"gopher://h/7/s?motd", query, "gopher://h/7/s%09motd"},
		{"gophers://h/7/s?a+b", query, "gophers://h/7/s%09a%20b"},
		{"sftp://h/", "", ""}, {"irc://h/", "", ""}, {"x-ftp://h/", "", ""}, {"ws://h/", "", ""}, {"urn:isbn:1", "", ""}, {"tel:5", "", ""}, {"mid:960830.1639@x.example", "", ""}, {"cid:a@x.example", "", ""}, {"sip:me@x.example", "", ""}, {"news:a", "", ""},
		{"https://h/", "", ""}, {"ftps://h/", "", ""}, {"http://h:/x", "", ""}, {"file:///etc", "", ""}, {"file://localhost/x", "", ""},
		{"gopher://h/", "", ""}, {"gopher://h/0/x?y", "", ""}, {"gopher://h/hURL:http://h/", "", ""}, {"gopher://h/g/x.gif", "", ""},
		{"gopher://h/7/s%09a?b", "", ""}, {"localhost:x", "", ""}, {"foo:bar", "", ""},
	} {
		want := c.want
		if want != "" {
			want = c.why + `did you mean "` + want + `"?`
		}
		if got := Hint(locator.Current.MustParse(c.text)); got != want {
			t.Errorf("%q: %q, want %q", c.text, got, want)
		}
	}
	if hint := Hint(locator.RFC1738.MustParse("https://h/")); hint != "" {
		t.Errorf("https of RFC 1738: %q", hint)
	}
	if hint := Hint(locator.URL{}); hint != "" {
		t.Errorf("the zero URL: %q", hint)
	}
}
