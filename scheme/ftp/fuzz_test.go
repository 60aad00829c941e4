package ftp

import (
	"strings"
	"testing"
	"time"

	"locator"
	"locator/scheme"
	"locator/scheme/internal/dialogue"
)

// FuzzReply checks that whatever a server sends is a reply or an error, within the limits.
//
// Covers: P6, T13
func FuzzReply(f *testing.F) {
	for _, s := range []string{"220 x\r\n", "220-a\r\n b\r\n220 c\r\n", "HTTP/1.1 400\r\n", "220-", "\xff\xfb\x01220 x\n", "220\n", "99",
		"213-at it\r\n213 SHA-1 0-29 DA39A3EE5E6B4B0D3255BFEF95601890AFD80709 x\r\n", "250 78F182E\r\n", "250 \"a b\" d41d8cd98f00b204e9800998ecf8427e\r\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := replyOf(t, text, 500)
		size := 0
		for _, l := range r.Lines {
			size += len(l)
		}
		if size > 500 {
			t.Errorf("a reply of %d bytes", size)
		}
		if err != nil {
			return
		}
		if r.Class() < 1 || r.Class() > 5 || len(r.Lines) == 0 {
			t.Errorf("%d %q", r.Code, r.Lines)
		}
		if s := r.Shown(); strings.ContainsFunc(s, func(c rune) bool { return c < ' ' || c > '~' }) || len(s) > 4*dialogue.ShownReply+3 {
			t.Errorf("shown as %q", s)
		}
		_, _, _ = r.Text(), r.failure(), r.denied()
		_ = announced(r.Text())
		_ = parseFeatures(r).missingFacts()
		if path, ok := parsePath(r.Text()); ok && len(path) > len(r.Text()) {
			t.Errorf("path %q of %q", path, r.Text())
		}
		if port, ok := parseEPSV(r.Text()); ok && port == 0 {
			t.Error("the reply to EPSV has port 0")
		}
		if ap, ok := parsePASV(r.Text()); ok && (!ap.IsValid() || ap.Port() == 0) {
			t.Errorf("PASV names %v", ap)
		}
		if name, ok := uniqueName(r); ok && (name == "" || strings.Contains(name, "/")) {
			t.Errorf("STOU names %q", name)
		}
		for _, d := range digests {
			for _, value := range []string{d.parseHASH(r), d.parseOwn(r)} {
				if value != "" && (len(value) != d.digits || strings.Trim(value, "0123456789abcdef") != "") {
					t.Errorf("%s is %q", d.name, value)
				}
			}
		}
	})
}

// FuzzList checks that each line of a listing that is understood has one name, which a URL can
// contain, and a valid time.
//
// Covers: P6, A4, T13
func FuzzList(f *testing.F) {
	for _, s := range []string{
		"total 3\n-rw-r--r-- 1 0 0 3 Dec  1  1994 x\nlrwxrwxrwx 1 0 0 8 Dec  1  1994 a -> b",
		"02-08-05  02:25PM       <DIR>          a dir\n10-20-98  12:05AM               619098 rizrem.zip",
		"+i8388621.48594,m825718503,r,s280,\tdjb.html",
		"Directory D:[A]\nA.TXT;1  2/4 30-DEC-1996 17:44 [S] (R)\nL.TXT;1\n   2/4 30-DEC-1996\nTotal of 2 files",
		"Volume Unit Referred\nW 3 2003/05/21  1  200  FB 80  80  PS  F\nName VV.MM\nM 01.00 1998/07/23 1998/07/23 17:52",
		"type=file;size=12;modify=19941201000000; a b\ntype=OS.unix=slink:/x; l",
		"d [R----F--] supervisor            512       Jan 16 18:53    login",
		"-rw-r--r-- 1 1000 1000 7 1994-12-01 00:30:59.1 +0100 full-iso",
		"sub/.\nsub/a\n/x/y\n./z",
	} {
		f.Add(s, "sub")
	}
	for _, s := range readListings(f) {
		var text strings.Builder
		for _, c := range s.cases {
			text.WriteString(strings.Join(c.lines, "\n") + "\n")
		}
		f.Add(text.String(), s.system)
	}
	f.Fuzz(func(t *testing.T, text, of string) {
		parsers := []parser{&listParser{now: now}, &listParser{now: now, system: "MVS"}, mlsdParser{}, nameParser{}, nameParser{of: of}}
		for line := range strings.SplitSeq(text, "\n") {
			for _, p := range parsers {
				it, v := p.parse(line)
				if v != understood && v != begun {
					continue
				}
				file, kind, typed := strings.Cut(it.name, ".") // z/VM has them in two columns
				if it.name == "" || it.name == "." || it.name == ".." ||
					!strings.Contains(line, it.name) && !(typed && strings.Contains(line, file) && strings.Contains(line, kind)) {
					t.Errorf("%T: from %q: name %q", p, line, it.name)
				}
				if size, ok := it.attr.Size.Get(); ok && size < 0 {
					t.Errorf("%T: from %q: size %d", p, line, size)
				}
				if m := it.attr.Modified; !m.IsZero() && (m.UTC().Year() < 0 || m.UTC().Format(time.RFC3339) == "") {
					t.Errorf("%T: from %q: time %v", p, line, m)
				}
				l := listing{s: &session{place: &place{login: locator.Login{Hostport: locator.Hostport{Host: "h.dom"}}, name: of}}}
				e := l.entry(it)
				if e.Kind == scheme.KindNote {
					t.Errorf("%T: no URL for %q", p, line)
					continue
				}
				view, ok := locator.As[*locator.FTP](e.URL)
				if !ok {
					t.Fatalf("%T: URL of %q is %s", p, line, e.URL)
				}
				name := view.Name.Or("")
				if it.dir {
					name = view.Dirs[len(view.Dirs)-1]
				}
				if name != it.name {
					t.Errorf("%T: %q: the URL %s has the name %q, want %q", p, line, e.URL, name, it.name)
				}
			}
		}
	})
}
