package main

import "strings"

// longText is a text that repeats something, which a parser that backtracks would read again and
// again.
type longText struct {
	before, again, after string
	ok                   bool // it is a URL
	size                 int  // in MiB, for TestParseLong and TestCurrentLong
}

func (c longText) text(size int) string {
	return c.before + strings.Repeat(c.again, size/len(c.again)) + c.after
}

// strictLong has such texts for RFC1738.
var strictLong = []longText{
	{"http://h/", "%41", "", true, 16},
	{"http://h/", "/", "", true, 1},
	{"ftp://h/", "%2F/", "", true, 1},
	{"ftp://", "%41", "@h/", true, 1},
	{"ftp://", "%41", "", false, 1},
	{"ftp://", "a.", "a/", true, 16},
	{"ftp://", "1.", "", false, 1},
	{"http://h:", "0", "", true, 1},
	{"gopher://h/", "%09", "", true, 1},
	{"mailto:", "@", "", true, 1},
	{"news:", "a", "", true, 1},
	{"news:", "%40", "@h", true, 1},
	{"prospero://h/", ";=", ";a=b", true, 1},
	{"prospero://h/", ";a", "", false, 1},
	{"x:", "//a:b@", "", true, 16},
	{"x://", "a:b@", "", true, 1},
	{"ftp://u:", "//a:b@", "", false, 16},
	{"ftp://u:", "//a:b@", strings.Repeat("x", 16<<20), false, 1},
	{"ftp://", "a:", "@", false, 1},
	{"", "a", "", false, 1},
	{"", "a", ":", true, 1},
	{"http:", "/", "", false, 1},
	{"http:", "//a:b/", "@", false, 16},
	{"news:", "a!", "", false, 1},
	{"news:a@", "a.1.", "", false, 1},
	{"ftp://u:", "p", "", false, 1},
	{"ftp://h/;type=", "a", "", false, 1},
	{"wais://h/d/", "t", "", false, 1},
}

// currentLong has such texts for Current.
var currentLong = []longText{
	{"http://h/", "%25", "", true, 16},
	{"http://h/", "../", "", true, 1},
	{"http://h/", "a/../", "", true, 1},
	{"http://h/", "\u00e9", "", true, 1},
	{"http://h/?", "%E2%80%8B", "", true, 1},
	{"http://h/", "\xe2\x80", "", false, 1},
	{"http://", "%C3%BC", "/", true, 1},
	{"http://", "\u00fc.", "/", true, 1},
	{"http://", "xn--a.", "/", true, 1},
	{"http://", "xn--bcher-kva.", "/", true, 1},
	{"http://", "1.", "", true, 16},
	{"http://", "-", "/", true, 1},
	{"http://", ":", "@h/", true, 16},
	{"http://", "a:", "", false, 1},
	{"http://u@", "a@", "", false, 1},
	{"http://h:", "0", "", true, 1},
	{"ftp://", "%41", "", true, 1},
	{"ftp://", "?", "@h", false, 1},
	{"mailto:", ",", "", true, 1},
	{"mailto:a?", "b=c&", "d=e", true, 1},
	{"mailto:a?", "b&", "", false, 1},
	{"news:", "*", "", true, 1},
	{"news:", "/", "@h", false, 1},
	{"news:a@", "b/", "", false, 1},
	{"nntp://h/a/", "1", "-", true, 1},
	{"file:/", "a//", "", true, 1},
	{"wais://h/d/T/1", "/1=a;", "", false, 1},
	{"wais://h/d/T/1/", "1=/;", "", true, 1},
	{"gopher://h/1", "%09", "", true, 1},
	{"mid:", "@", "", true, 1},
	{"z39.50r://h/", "+", ";rs=a", true, 1},
	{"x:", "//a:b@", "", true, 16},
	{"x://", "a:b@", "", false, 1},
	{"x:/", "../", "", true, 1},
	{"http://h/", "%25%32%35", "", true, 1},
	{"http://h/a/b?", "//a:b@", "", true, 1},
	{"mailto:a?b=", "?", "", true, 1},
	{"ftps://u:", "%40", "@h/;type=a", true, 1},
	{"https://", "%E3%80%82", "/", true, 1},
	{"x://h/", "a;b=c&d?e/", "#f", true, 1},
	{"news://u:", "p", "", false, 1},
	{"news:", "a!", "", false, 1},
	{"http://u:p@[", "1", "", false, 1},
	{"http://[v", "1", "", false, 1},
	{"mid:a@b/", "c", "", true, 1},
	{"z39.50r://h/d;esn=a;", "rs=", "", true, 1},
	{"file://", "h", "", false, 1},
	{"http://h/#", "a", "#", false, 1},
}
