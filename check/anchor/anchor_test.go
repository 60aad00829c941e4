package anchor_test

import (
	"strings"
	"testing"

	"locator/check/anchor"
)

const long = "This page has a few words of its own, so that it does not look like one that a script fills in: it tells " +
	"about rivers, mountains, towns and the people who live there, and about what they say of the weather in May. "

func TestFindInHTML(t *testing.T) {
	t.Parallel()
	page := "<!DOCTYPE html><title>x</title><h1 id=one>One</h1><a name='two'>x</a><p id='caf&eacute;'>" + long +
		"<div id=A%20b></div><h2 id=\"user-content-three\">Three</h2><form name=four><p>The <b>quick</b> brown\nfox<br>jumps. Caf\u00e9 cr\u00e8me.</p><script>'hidden words'</script><p id=five><p id=six>"
	for fragment, want := range map[string]anchor.Answer{
		"": anchor.Present, "top": anchor.Present, "TOP": anchor.Present, "one": anchor.Present, "One": anchor.Absent,
		"two": anchor.Present, "three": anchor.Present, "four": anchor.Absent, "caf%C3%A9": anchor.Present, "caf\u00e9": anchor.Present,
		"A%20b": anchor.Present, "%6Fne": anchor.Present, "!/x": anchor.Unknown, "/x": anchor.Unknown, "L10": anchor.Unknown,
		":~:text=quick%20brown%20fox":       anchor.Present,
		":~:text=quick%20red":               anchor.Absent,
		":~:text=foxjumps":                  anchor.Present,
		":~:text=The-,quick,fox,-jumps":     anchor.Present,
		":~:text=The-,brown":                anchor.Absent,
		":~:text=fox,quick":                 anchor.Absent,
		":~:text=fox,-jumps":                anchor.Present,
		":~:text=CAFE%20CREME":              anchor.Present,
		":~:text=hidden%20words":            anchor.Absent,
		":~:text=a,b,c,d":                   anchor.Unknown,
		":~:text=":                          anchor.Unknown,
		":~:other":                          anchor.Present,
		"one:~:text=brown":                  anchor.Present,
		"none:~:text=brown":                 anchor.Absent,
		":~:text=quick&text=nothing%20here": anchor.Absent,
	} {
		d := &anchor.Document{Type: "text/html; charset=utf-8", Body: []byte(page)}
		if got := d.Find(fragment); got != want {
			t.Errorf("#%s: %v, want %v", fragment, got, want)
		}
	}
}

// An index answers as its document does, is small and does not read the document again.
func TestIndex(t *testing.T) {
	d := &anchor.Document{Type: "text/html", Body: []byte(strings.Repeat("<p id=x>"+long, 1000))}
	x := d.Index()
	if n := testing.AllocsPerRun(5, func() { x.Find("none") }); n > 10 || x.Size() > 200 {
		t.Errorf("%v allocations for a fragment, %d bytes", n, x.Size())
	}
	for _, fragment := range []string{"", "x", "none", "%78", "top", "!state", ":~:text=a", "x:~:text=a"} {
		if got, want := x.Find(fragment), d.Find(fragment); got != want && !strings.Contains(fragment, "text=") {
			t.Errorf("%s: %v, want %v", fragment, got, want)
		}
	}
}

// A page whose content a script makes.
func TestFindInScripted(t *testing.T) {
	t.Parallel()
	for _, page := range []string{`<body><div id=app></div><script src=/app.js></script>`, "<html><body></body></html>", long + "<script>1</script>"} {
		d := &anchor.Document{Type: "text/html", Body: []byte(page)}
		if got := d.Find("x"); got != anchor.Scripted {
			t.Errorf("%.40s: %v", page, got)
		}
	}
}

// A page in Latin-1 has ids and words beyond ASCII; one with a token that is too long is not judged.
func TestFindInCharset(t *testing.T) {
	t.Parallel()
	body := []byte("<p id='caf\xe9'>" + long + "caf\xe9 cr\xe8me")
	for fragment, want := range map[string]anchor.Answer{"caf%C3%A9": anchor.Present, "x": anchor.Absent, ":~:text=caf%C3%A9%20cr%C3%A8me": anchor.Present} {
		d := &anchor.Document{Type: "text/html; charset=iso-8859-1", Body: body}
		if got := d.Find(fragment); got != want {
			t.Errorf("#%s: %v, want %v", fragment, got, want)
		}
	}
	d := &anchor.Document{Type: "text/html", Body: []byte("<p title='" + strings.Repeat("x", 2<<20) + "'><p id=x>")}
	if got := d.Find("x"); got != anchor.Unknown {
		t.Errorf("a long token: %v", got)
	}
}

func TestFindInMarkdown(t *testing.T) {
	t.Parallel()
	page := "# Getting Started\n\nSome *emphasized* [words](http://a/) here.\n\n## Getting started\n\n## What's new: `foo_bar()` & more!\n\nSetext *one*\n==\n\n" +
		"```\n# not a heading\n```\n\n## [Link](x.md) text {#own}\n\n<a name=\"named\"></a>\n<div id='block'>\n</div>\n\n## \u00dcber uns\n\n## 2024\n\n## Getting started 1\n\n> ## Quoted\n"
	for fragment, want := range map[string]anchor.Answer{
		"getting-started": anchor.Present, "getting-started-1": anchor.Present, "getting-started-2": anchor.Absent, "getting-started-1-1": anchor.Present,
		"whats-new-foo_bar--more": anchor.Present, "whats-new-foo_bar-more": anchor.Present, "setext-one": anchor.Present,
		"not-a-heading": anchor.Absent, "link-text": anchor.Present, "own": anchor.Present, "named": anchor.Present, "block": anchor.Present,
		"%C3%BCber-uns": anchor.Present, "2024": anchor.Present, "anchor-2024": anchor.Present, "quoted": anchor.Present, "Quoted": anchor.Absent,
		"L3": anchor.Present, "L300": anchor.Absent, ":~:text=some%20emphasized%20words": anchor.Present, ":~:text=nothing": anchor.Absent,
	} {
		for _, d := range []*anchor.Document{{Type: "text/markdown", Body: []byte(page)}, {Name: "README.md", Type: "text/plain", Body: []byte(page)}, {Name: "a.md", Body: []byte(page)}} {
			if got := d.Find(fragment); got != want {
				t.Errorf("#%s: %v, want %v", fragment, got, want)
			}
		}
	}
}

func TestFindInText(t *testing.T) {
	t.Parallel()
	body := "one\ntwo\nthree words\n"
	for _, x := range []struct {
		name, media, body, fragment string
		want                        anchor.Answer
	}{
		{"main.go", "", body, "L3", anchor.Present},
		{"main.go", "", body, "L4", anchor.Absent},
		{"main.go", "text/plain", body + "x", "L4", anchor.Present},
		{"main.go", "", body, "L1-L3", anchor.Present},
		{"main.go", "", body, "L1C1-L9C2", anchor.Absent},
		{"main.go", "", body, "L2-3", anchor.Present},
		{"main.go", "", body, "L0", anchor.Absent},
		{"main.go", "", body, "L99999999999", anchor.Unknown},
		{"main.go", "", body, "Func", anchor.Unknown},
		{"main.go", "", body, ":~:text=two%20three", anchor.Present},
		{"main.go", "", body, ":~:text=four", anchor.Absent},
		{"x.pdf", "application/pdf", "%PDF-1.4", "page=3", anchor.Unknown},
		{"x.mp4", "video/mp4", "x", "t=30", anchor.Unknown},
		{"x.svg", "image/svg+xml", "<svg/>", "icon", anchor.Unknown},
		{"x", "", "a\x00b", "L3", anchor.Unknown},
	} {
		d := &anchor.Document{Name: x.name, Type: x.media, Body: []byte(x.body)}
		if got := d.Find(x.fragment); got != x.want {
			t.Errorf("%s (%s) #%s: %v, want %v", x.name, x.media, x.fragment, got, x.want)
		}
	}
}

func FuzzFind(f *testing.F) {
	f.Add("text/html", "<p id=x>y", "x:~:text=a-,b,c,-d")
	f.Add("text/markdown", "# A\n\n# A {#b}\n<a name=x>", "a-1")
	f.Fuzz(func(t *testing.T, media, body, fragment string) {
		d := &anchor.Document{Type: media, Body: []byte(body)}
		d.Find(fragment)
	})
}
