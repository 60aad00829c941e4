package main

import (
	"strings"

	"locator/find"
)

// finding finds the URLs of a text in every way.
func finding(s string) {
	for _, f := range []find.Finder{{}, {IRI: true, Web: true, Mail: true}} {
		for range f.Split(s) {
		}
		for range f.Bytes([]byte(s)) {
		}
		for range f.Read(strings.NewReader(s)) {
		}
	}
}

// findLong has texts in which a finder could read the same part again and again.
var findLong = []longText{
	{again: "http:"},
	{again: "http://"},
	{again: "http://a"},
	{again: "http://a:"},
	{again: "http://a/"},
	{again: "http://a),"},
	{again: "http://("},
	{again: "http://a("},
	{again: "http://a(b", after: strings.Repeat(")", 9000)},
	{again: "http://a,http://"},
	{again: "http://a&amp;"},
	{again: "http://a'"},
	{before: "'", again: "http://a'"},
	{again: "http://a/()()"},
	{again: "http://h/%"},
	{again: "http://h/\u00e9"},
	{again: "http://h/\u3002"},
	{again: "http://h/a.,;:!?"},
	{before: "http://h/", again: "."},
	{before: "http://h/", again: "&a;"},
	{before: "http://h/", again: "'s"},
	{before: "http://u:", again: "a", after: "@h"},
	{again: "news:"},
	{again: "news:a."},
	{again: "news:a!"},
	{before: "news:", again: "a!"},
	{again: "news:a@", after: "b"},
	{again: "mid:"},
	{again: "mid:a@"},
	{again: "mailto:"},
	{again: "mailto:(", after: "@h"},
	{again: "mailto:a@h?b"},
	{again: "file:/"},
	{again: "file:/;"},
	{again: "URL:"},
	{again: "URL: "},
	{again: "URL:http:"},
	{again: "URL:http://a"},
	{before: "URL:", again: " "},
	{again: "x:"},
	{again: "::"},
	{again: "://"},
	{again: "a://"},
	{before: strings.Repeat("a", 9000), again: "a:"},
	{before: "http://h/", again: "a"},
	{again: "<URL:"},
	{again: "<URL: "},
	{again: "<URL:\n"},
	{again: "<URL:http://a"},
	{before: "<URL:http://h/", again: "a"},
	{before: "<URL:http://h/", again: " "},
	{before: "<URL:http://h/", again: "\n"},
	{before: "<URL:http://h/", again: "\r\n"},
	{before: "<URL:http://h/", again: "a-\n", after: ">"},
	{before: "<URL:http://h/", again: "a\u00AD\n", after: ">"},
	{before: "# <URL:http://h/", again: "\n# a"},
	{before: "# <URL:http://h/\n", again: "# "},
	{before: strings.Repeat("> ", 120) + "<URL:http://h/", again: "\n> > a"},
	{before: "<URL:http://h/", again: "a\n[Page 1]\n"},
	{before: "<URL:http://h/", again: "\n\f"},
	{before: "<URL:http://h/\n", again: "[Page 1]\n\fRFC\n"},
	{before: "<URL:http://h/", again: "http://a b "},
	{again: "<http://a\n"},
	{again: "<http://a b"},
	{again: "<URL:http://a b\n\n\n"},
	{before: "<", again: " ", after: "URL:"},
	{again: "<a://"},
	{again: "www."},
	{again: "www.a.b"},
	{again: "www.a,"},
	{again: "@"},
	{again: "a@"},
	{again: "a@b."},
	{again: "a@b.c"},
	{before: "a@", again: "b.", after: "c"},
	{again: "a", after: "@b.dom"},
	{again: "\\fIhttp://a"},
	{again: "\x1b[1mhttp://a"},
	{again: "\xff:"},
}
