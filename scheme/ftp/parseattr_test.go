package ftp

import (
	"fmt"
	"testing"

	"locator/internal/units"
)

// Entries have the precision of their date, permissions, owner, group, and the target of a link.
//
// Covers: A2
func TestEntryAttributes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ line, want string }{
		{"-rw-r--r--   1 ftp      staff      1234 Nov 20 09:39 a", "minute 644 ftp staff "},
		{"-rwsr-sr-t   1 root     wheel         5 Nov 20  2024 a", "day ugtrwxr-xr-x root wheel "},
		{"drwxr-x--T   2 1000     1000       4096 2024-11-20 09:39 a", "minute trwxr-x--- 1000 1000 "},
		{"-rw-r--r-- 1 u g 1 2024-11-20 09:39:01.000000000 +0000 a", "second 644 u g "},
		{"lrwxrwxrwx   1 u        g             3 Nov 20  2024 a -> b/c", "day 777 u g b/c"},
		{"-rw-rw-r--   1 owner        17 Nov 20  2024 a", "day 664 owner  "},
		{"-rw-r--r--   1 a name  with spaces   17 Nov 20  2024 a", "day 644   "},
		{"brw-rw----   1 root     disk       8, 0 Nov 20  2024 a", "day 660   "},
		{"-[RWCEAFMS] supervisor   214059 Nov 20  2024 a", "day 0 supervisor  "},
		{"02-08-05  02:25PM       1234 a", "minute 0   "},
		{"A.TXT;1   2/4   30-DEC-1996 17:44 [GROUP,OWNER]  (RWED,RWED,RE,)", "minute 0 OWNER GROUP "},
		{"A.TXT;1   2/4   30-DEC-1996 17:44 [OWNER]  (RWED,RWED,RE,)", "minute 0 OWNER  "},
		{"drwxr-xr-x1732 owner group 17 Nov 20  2024 a", "day 755 owner group "},
		{"drwxr-x   2       17     4096 Nov 20 09:39 a", "minute 0 17  "},
		{"0100640   1001  100   7331    1000000000       a", "second 640 1001 100 "},
		{"BAKER   777 25.12.09 08:15:30 *STMF  a", "minute 0 BAKER  "},
		{"A  101  1522 23-Feb-09 16:07:08  20, 33 \"NUNU\"", "minute 0 20,33  "},
		{"A  EXEC  V  72  104  2 2004-11-23 09:10:11 MAINT", "minute 0 MAINT  "},
		{"-C--E-----FTP A MBOX01  881  40960 Feb 26  2014 a", "day 0 MBOX01  "},
		{"A.TXT;1   2/4   30-DEC-1996 17:44:12", "minute 0   "}, // the zone is not known
		{"-rw-r--r-- 1 u g 1 2024-11-20 09:39:01 a", "minute 644 u g "},
		{"-rw-r--r-- 1 u g 1 2024-11-20 09:39:01.000000000 -0500 a", "second 644 u g "},
		{"+i8388621.29609,m824255902,/,\ta", "second 0   "},
	} {
		p := &listParser{now: now}
		it, v := p.parse(tt.line)
		if got := attributesText(it); v != understood || got != tt.want {
			t.Errorf("%s: %q, want %q", tt.line, got, tt.want)
		}
	}
	for facts, want := range map[string]string{
		"type=file;size=1;modify=20241120093900;UNIX.mode=0640;UNIX.owner=0;UNIX.group=0;": "second 640 0 0 ",
		"type=file;UNIX.owner=0;UNIX.ownername=root;UNIX.groupname=wheel;UNIX.group=0;":    "second 0 root wheel ",
		"type=OS.unix=slink:../x;UNIX.mode=x;":                                             "second 0   ../x",
	} {
		it, ok := parseFacts(facts + " a")
		if got := attributesText(it); !ok || got != want {
			t.Errorf("%s: %q, want %q", facts, got, want)
		}
	}
}

func attributesText(it item) string {
	var mode string
	if it.attr.Mode == it.attr.Mode.Perm() {
		mode = fmt.Sprintf("%o", it.attr.Mode)
	} else {
		mode = it.attr.Mode.String()
	}
	return fmt.Sprintf("%s %s %s %s %s", units.Precision(it.attr.Precision), mode, it.attr.Owner, it.attr.Group, it.target)
}
