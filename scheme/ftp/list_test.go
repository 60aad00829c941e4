package ftp_test

import (
	"bytes"
	"slices"
	"testing"

	"locator"
	"locator/client"
	"locator/scheme"
)

// TestListCopy copies a listing as received. The lines that were not understood are notes.
//
// Covers: A4
func TestListCopy(t *testing.T) {
	t.Parallel()
	const listing = "total 2\r\n-r--r--r-- 1 0 0 1 Dec 1 1994 a\r\nwhat \x1b[2J is this?\r\ndrwxr-xr-x 1 0 0 1 Dec 1 1994 d\r\n"
	s := newScripted(t, "< 220 ready\n> USER anonymous\n< 331 mail?\n> PASS locator@\n< 230 in\n> FEAT\n< 500 what?\n> EPSV\n< 229 ok (|||PORT|)\n> LIST\n< 150 here\n"+
		"data send total 2\\x0d\\x0a-r--r--r-- 1 0 0 1 Dec 1 1994 a\\x0d\\x0awhat \\x1b[2J is this?\\x0d\\x0adrwxr-xr-x 1 0 0 1 Dec 1 1994 d\\x0d\\x0a\ndata close\n< 226 sent\n"+
		"> SYST\n< 215 here\n> EPSV\n< 229 ok (|||PORT|)\n> NLST\n< 150 here\ndata send a\\x0d\\x0ad\\x0d\\x0a\ndata close\n< 226 sent\n> QUIT\n")
	c := newClient(t, func(o *client.Options) { o.TLSMode = scheme.TLSOff })
	var copied bytes.Buffer
	var unknown, names []string
	for e, err := range client.Entries(c.List(t.Context(), scheme.Request{URL: locator.MustParse("ftp://" + s.addr + "/")}, &scheme.ListOptions{
		Copy: &copied,
	})) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind == scheme.KindNote {
			unknown = append(unknown, e.Name)
		} else {
			names = append(names, e.Name)
		}
	}
	c.Close()
	if copied.String() != listing {
		t.Errorf("copied %q, want %q", copied.String(), listing)
	}
	if !slices.Equal(unknown, []string{"what \x1b[2J is this?"}) || !slices.Equal(names, []string{"a", "d"}) {
		t.Errorf("unknown %q, names %q", unknown, names)
	}
	if err := s.end(); err != nil {
		t.Error(err)
	}
}
