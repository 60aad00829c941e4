package ftp

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"locator/wire"
)

// now is the clock of these tests.
var now = time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)

// said returns an item as text: kind, name, size, time, the rest.
func said(it item, v verdict) string {
	switch v {
	case unknown:
		return "unknown"
	case skipped:
		return "skipped"
	}
	s := "?"
	switch {
	case it.dir:
		s = "dir"
	case it.file:
		s = "file"
	}
	s += " [" + wire.Escape(strings.Join(append(it.dirs, it.name), "|")) + "]"
	if it.inside {
		s += " inside"
	}
	if n, ok := it.attr.Size.Get(); ok {
		s += fmt.Sprintf(" %d", n)
	}
	if !it.attr.Modified.IsZero() {
		s += it.attr.Modified.UTC().Format(" 2006-01-02T15:04:05")
	}
	if it.attr.Type != "" {
		s += " type " + it.attr.Type
	}
	for _, m := range it.attr.More {
		s += " " + m.Name + "=" + wire.Escape(m.Value)
	}
	return s
}

// Covers: A4
func TestListForms(t *testing.T) {
	t.Parallel()
	for form, lines := range map[string][][2]string{
		"unix": {
			{"total 120", "skipped"},
			{"-rw-r--r--   1 0        0            4096 Dec  1  1994 bytes.bin", "file [bytes.bin] 4096 1994-12-01T00:00:00"},
			{"-rw-r--r--    1 0        0              32 Dec 01  1994 crlf.txt", "file [crlf.txt] 32 1994-12-01T00:00:00"},
			{"drwxr-xr-x   2 root     wheel        4096 Mar 10 09:39 pub", "dir [pub] 2026-03-10T09:39:00"},
			{"drwxr-xr-x   2 root     wheel        4096 Mar 11 11:00 ahead of us", "dir [ahead of us] 2026-03-11T11:00:00"},
			{"drwxr-xr-x   2 root     wheel        4096 Mar 12 12:01 last year", "dir [last year] 2025-03-12T12:01:00"},
			{"-rw-r--r-- 1 me us 5 Feb 29 10:00 no leap year", "file [no leap year] 5"},
			{"-rw-r--r--+ 1 me us 5 Feb 28 10:00 with acl", "file [with acl] 5 2026-02-28T10:00:00"},
			{"-rw-r--r--. 1 me us 5 Feb 28 10:00 selinux", "file [selinux] 5 2026-02-28T10:00:00"},
			{"-rw-r--r--@ 1 me us 5 Feb 28 10:00 mac", "file [mac] 5 2026-02-28T10:00:00"},
			{"-rwsr-Sr-t 1 me us 5 Feb 28 10:00  two blanks ", "file [ two blanks ] 5 2026-02-28T10:00:00"},
			{"-rw-r--r-- 1 me 5 Feb 28 10:00 no group", "file [no group] 5 2026-02-28T10:00:00"},
			{"-rw-r--r-- me 5 Feb 28 10:00 no links", "file [no links] 5 2026-02-28T10:00:00"},
			{"-rw-r--r-- 1 domain users us 5 Feb 28 10:00 blank in owner", "file [blank in owner] 5 2026-02-28T10:00:00"},
			{"-rw-r--r-- 1 user 20 2000 Nov 20 09:39 numeric group", "file [numeric group] 2000 2025-11-20T09:39:00"},
			{"-rw-r--r-- 1 1000 1000 7 1994-12-01 00:30 long-iso", "file [long-iso] 7 1994-12-01T00:30:00"},
			{"-rw-r--r-- 1 1000 1000 7 1994-12-01 iso", "file [iso] 7 1994-12-01T00:00:00"},
			{"-rw-r--r-- 1 1000 1000 7 1994-12-01 00:30:59.123456789 +0100 full-iso", "file [full-iso] 7 1994-11-30T23:30:59"},
			{"-rw-r--r-- 1 1000 1000 7 20 Nov 09:39 day first", "file [day first] 7 2025-11-20T09:39:00"},
			{"-rw-r--r-- 1 1000 1000 7 1. Dez 1994 german", "file [german] 7"},
			{"-rw-r--r-- 1 1000 1000 7 Okt 20 09:39 german", "file [german] 7"},
			{"-rw-r--r-- 1 1000 1000 7 11\xe6\x9c\x88 20\xe6\x97\xa5 09:39 japanese", "file [japanese] 7 2025-11-20T09:39:00"},
			{"-rw-r--r-- 1 1000 1000 7 Nov 020 09:39 three digits", "unknown"},
			{"-rw-r--r-- 1 1000 1000 7 Nov 20 09:39:45 seconds", "file [seconds] 7 2025-11-20T09:39:45"},
			{"lrwxrwxrwx 1 0 0 8 Dec  1  1994 link.txt -> text.txt", "? [link.txt] 1994-12-01T00:00:00 target=text.txt"},
			{"lrwxrwxrwx 1 0 0 1 Dec  1  1994 a -> b -> c", "? [a -> b] 1994-12-01T00:00:00 target=c"},
			{"lrwxrwxrwx 1 0 0 6 Dec  1  1994 a -> b -> c", "? [a] 1994-12-01T00:00:00 target=b -> c"},
			{"lrwxrwxrwx 1 0 0 9 Dec  1  1994 hidden", "? [hidden] 1994-12-01T00:00:00"},
			{"crw-rw-rw- 1 root root 1, 3 Dec  1  1994 null", "? [null] 1994-12-01T00:00:00"},
			{"prw-rw-rw- 1 root root 0 Dec  1  1994 pipe", "? [pipe] 1994-12-01T00:00:00"},
			{"-rw-r--r-- 1 0 0 3 Dec  1  1994 Nov 20 09:39", "file [Nov 20 09:39] 3 1994-12-01T00:00:00"},
			{"-rw-r--r-- 1 0 0 3 Dec  1  1994 caf\xe9", `file [caf\xe9] 3 1994-12-01T00:00:00`},
			{"-rw-r--r-- 1 0 0 3 Dec  1  1994 \x1b[2J", `file [\x1b[2J] 3 1994-12-01T00:00:00`},
			{"drwxr-xr-x 2 0 0 4096 Dec  1  1994 .", "skipped"},
			{"drwxr-xr-x 2 0 0 4096 Dec  1  1994 ..", "skipped"},
			{"-rw-r--r-- 1 0 0 3 Dec  1  1994", "unknown"},
			{"-rw-r--r-- 1 0 0 3 Dec  1  1994 ", "skipped"},
			{"drwxr-xr-x", "unknown"},
			{"", "skipped"},
			{"ls: permission denied", "unknown"},
		},
		"netware": {
			{"d [R----F--] supervisor            512       Jan 16 18:53    login", "dir [login] 2026-01-16T18:53:00"},
			{"- [R----F--] rhesus             214059       Oct 20 15:27    cx.exe", "file [cx.exe] 214059 2025-10-20T15:27:00"},
		},
		"macintosh": {
			{"-------r--         326  1391972  1392298 Nov 22  1995 MegaPhone.sit", "file [MegaPhone.sit] 1392298 1995-11-22T00:00:00"},
			{"drwxrwxr-x               folder        2 May 10  1996 network", "dir [network] 1996-05-10T00:00:00"},
		},
		"dos": {
			{"02-08-05  02:25PM       <DIR>          a dir", "dir [a dir] 2005-02-08T14:25:00"},
			{"10-20-98  12:05AM               619098 rizrem.zip", "file [rizrem.zip] 619098 1998-10-20T00:05:00"},
			{"10-20-1998  08:57               619,098  blank first", "file [ blank first] 619098 1998-10-20T08:57:00"},
			{"2005-02-08  14:25       <JUNCTION>     there", "? [there] 2005-02-08T14:25:00"},
			{"02/08/05  02:25p  <DIR> lower", "unknown"},
			{"12-31-0P 02:25PM  12 no year", "unknown"},
			{"13-40-05  02:25PM  <DIR> no such day", "unknown"},
		},
		"eplf": {
			{"+i8388621.48594,m825718503,r,s280,\tdjb.html", "file [djb.html] 280 1996-03-01T22:15:03 unique=8388621.48594"},
			{"+i8388621.50690,m824255907,/,\t514", "dir [514] 1996-02-13T23:58:27 unique=8388621.50690"},
			{"+m825718503,r,s280,up644,\tfull name\t", "file [full name\\x09] 280 1996-03-01T22:15:03 UNIX.mode=644"},
			{"+nothing", "unknown"},
		},
		"vms": {
			{"Directory DISK$USER:[ANONYMOUS]", "skipped"},
			{"00README.TXT;1      2/4 30-DEC-1996 17:44 [SYSTEM] (RWED,RWED,RE,RE)", "file [00README.TXT;1] 1996-12-30T17:44:00 blocks=2/4"},
			{"CORE.DIR;1          1  8-SEP-1996 16:09:30 [SYSTEM] (RWE,RWE,RE,RE)", "dir [CORE] 1996-09-08T16:09:30 blocks=1"},
			{"A_VERY_LONG_FILENAME_THAT_HAS_A_LINE.TXT;27", "file [A_VERY_LONG_FILENAME_THAT_HAS_A_LINE.TXT;27]"},
			{"                  213/216  29-JAN-1996 03:33:12  [ANONYMOUS]   (RWED,RWED,,)", "skipped"},
			{"LATE.DAT;2          1  8-SEP-1996 46:09:30 [SYSTEM] (RWE,RWE,RE,RE)", "file [LATE.DAT;2] 1996-09-08T00:00:00 blocks=1"},
			{"SECRET.TXT;1        %RMS-E-PRV, insufficient privilege or file protection violation", "file [SECRET.TXT;1]"},
			{"Total of 11 Files, 423 Blocks.", "skipped"},
		},
		"mvs datasets": {
			{"Volume Unit    Referred Ext Used Recfm Lrecl BlkSz Dsorg Dsname", "skipped"},
			{"WYOSPT 3420   2003/05/21  1  200  FB      80  8053  PS  48-MVS.FILE", "file [48-MVS.FILE] 2003-05-21T00:00:00"},
			{"WPTA01 3290   2004/03/04  1    3  FB      80  3125  PO  'A.B.C'", "dir [A.B.C] 2004-03-04T00:00:00"},
			{"NRP004 3390   **NONE**    1   15  NONE     0     0  NONE ODD.ONE", "? [ODD.ONE]"},
			{"MIGRATED                                                XX.YY", "? [XX.YY]"},
		},
		"mvs members": {
			{" Name     VV.MM   Created       Changed      Size  Init   Mod   Id", "skipped"},
			{"ALLOCHK   01.00 1998/07/23 1999/07/24 17:52    10    10     0 USERID", "file [ALLOCHK] 1999-07-24T17:52:00"},
			{"BARE", "file [BARE]"},
		},
	} {
		p := &listParser{now: now}
		for _, l := range lines {
			if got := said(p.parse(l[0])); got != l[1] {
				t.Errorf("%s: %q: %s, want %s", form, l[0], got, l[1])
			}
		}
	}
}

// Covers: A4
func TestFacts(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"type=file;size=12;modify=19941201000000; a b":        "file [a b] 12 1994-12-01T00:00:00",
		"Type=FILE;Size=12;Modify=19941201000000.123; x":      "file [x] 12 1994-12-01T00:00:00",
		"type=dir;size=4096;perm=elcm;UNIX.mode=0755; d;e=f ": "dir [d;e=f ] perm=elcm UNIX.mode=0755",
		"type=cdir; /here":                                         "skipped",
		"type=pdir; ..":                                            "skipped",
		"type=OS.unix=slink:/x y; l":                               "unknown", // facts contain no space
		"type=OS.unix=slink:/x; l":                                 "? [l] target=/x",
		"type=OS.unix=chr-1/3; null":                               "? [null] type=OS.unix=chr-1/3",
		"media-type=text/html;type=file; p":                        "file [p] type text/html",
		" nothing known":                                           "? [nothing known]",
		"size=-1;size=x;modify=yesterday;type=file; z":             "file [z]",
		"type=file;;size=1; x":                                     "unknown",
		"type=file;size=1 x":                                       "unknown",
		"-rw-r--r--   1 0        0            4096 Dec  1  1994 x": "unknown",
		"": "unknown",
	} {
		if got := said(mlsdParser{}.parse(line)); got != want {
			t.Errorf("%q: %s, want %s", line, got, want)
		}
	}
}

// Covers: A4
func TestNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ of, line, want string }{
		{"", "a b", "? [a b]"},
		{"", "./a", "? [a]"},
		{"", "/x/y/a", "? [a]"},
		{"", "sub/a", "? [sub|a]"},
		{"", "d/", "dir [d]"},
		{"", ".", "skipped"},
		{"", "..", "skipped"},
		{"", "", "skipped"},
		{"", "/", "skipped"},
		{"sub", "sub/a", "? [a] inside"},
		{"sub", "sub/.", "skipped"},
		{"sub", "sub/x/a", "? [x|a] inside"},
		{"sub", "a", "? [a] inside"},
		{"sub", "./a", "? [a] inside"},
		{"sub", "/home/sub/a", "? [a] inside"},
		{"sub", "sub", "? [sub]"},
		{"/etc", "/etc/motd", "? [motd] inside"},
		{"a/b", "a/b/c", "? [c] inside"},
		{"*.c", "x.c", "? [x.c]"},
		{"*.c", "d.c/x", "? [d.c|x]"},
	} {
		if got := said(nameParser{of: c.of}.parse(c.line)); got != c.want {
			t.Errorf("NLST %q: %q: %s, want %s", c.of, c.line, got, c.want)
		}
	}
}

// Covers: A3
func TestGuessType(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]byte{
		"a.txt": ascii, "A.TXT": ascii, "page.Html": ascii, "x.tar.gz": image, "README": image, "": image, ".": image, ".txt": ascii,
		"x.bin": image, "no.suchsuffix": image, "mail.eml": ascii, "x.json": image, "x.txt.gif": image,
	} {
		if got := guessType(name); got != want {
			t.Errorf("%q: TYPE %c, want %c", name, got, want)
		}
	}
}
