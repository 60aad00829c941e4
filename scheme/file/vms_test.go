package file

import (
	"errors"
	"testing"

	"locator"
)

// Covers: S15
func TestVMS(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ spec, url, back string }{
		{"DISK$USER:[MY.NOTES]NOTE123456.TXT", "file://vms.host.edu/disk$user/my/notes/note123456.txt", ""},
		{"DISK$USER:<MY.NOTES>NOTE.TXT", "file://vms.host.edu/disk$user/my/notes/note.txt", "DISK$USER:[MY.NOTES]NOTE.TXT"},
		{"dka0:[a]b.c", "file://vms.host.edu/dka0/a/b.c", "DKA0:[A]B.C"},
		{"DKA0:[000000]A.DIR;1", "file://vms.host.edu/dka0/000000/a.dir%3B1", ""},
		{"DKA0:[A]B.C;", "file://vms.host.edu/dka0/a/b.c%3B", ""},
		{"SYS$LOGIN:LOGIN.COM", "file://vms.host.edu/sys$login/login.com", ""},
		{"DKA0:[A.B]", "file://vms.host.edu/dka0/a/b/", ""},
		{"DKA0:", "file://vms.host.edu/dka0/", ""},
		{"_DUA0:[A-B]C_D.E$F", "file://vms.host.edu/_dua0/a-b/c_d.e$f", ""},
		// ODS-5: special characters are quoted with "^".
		{"D:[A^.B^_C]X^.Y^[^^^/^20Z^FF.T", "file://vms.host.edu/d/a.b%20c/x.y%5B%5E%2F%20z%FF.t", "D:[A^.B^_C]X^.Y^[^^^/^_Z^FF.T"},
		{"D:[^-.^.^.^.]^;X", "file://vms.host.edu/d/-/.../%3Bx", ""},
	} {
		f, err := FromVMS("vms.host.edu", c.spec)
		if err != nil {
			t.Errorf("%s: %v", c.spec, err)
			continue
		}
		u, err := locator.Build(f)
		if err != nil || u.Text() != c.url {
			t.Errorf("%s becomes %s, not %s (%v)", c.spec, u.Text(), c.url, err)
			continue
		}
		if c.back == "" {
			c.back = c.spec
		}
		again, ok := locator.As[*locator.File](locator.MustParse(u.Text()))
		if !ok || VMS(again) != c.back {
			t.Errorf("%s becomes %s, and back %s, not %s", c.spec, u.Text(), VMS(again), c.back)
		}
	}
	for _, c := range []struct {
		spec   string
		offset int
	}{
		{"", 0},
		{"NOTE.TXT", 8},
		{"[MY.NOTES]NOTE.TXT", 0},
		{"D", 1},
		{"NODE::D:[A]B", 5},
		{"D:[]X", 3},
		{"D:[-]X", 4},
		{"D:[.A]X", 3},
		{"D:[A.-]X", 6},
		{"D:[A...]X", 5},
		{"D:[A.][B]X", 5},
		{"D:[A>X", 4},
		{"D:[A", 4},
		{"D:[A]B[C]", 6},
		{"D:[A]B/C", 6},
		{"D:[A]B:C", 6},
		{"D:[A]B;1;2", 8},
		{"D:[A]B^", 7},
		{"D:[A]B^X", 7},
	} {
		f, err := FromVMS("h", c.spec)
		var e *locator.SyntaxError
		if !errors.As(err, &e) || e.Offset != c.offset || e.Msg == "" || e.Hint == "" {
			t.Errorf("%s: %v, %v", c.spec, f, err)
		}
	}
	if _, err := FromVMS("a b", "D:[A]B"); err == nil {
		t.Error("a host that is none is accepted")
	}
	for _, segments := range [][]string{nil, {""}, {"a"}, {"", "a"}, {"a", "", "b"}} {
		if spec := VMS(&locator.File{Segments: segments}); spec != "" {
			t.Errorf("%q is the VMS file %s", segments, spec)
		}
	}
}

func FuzzVMS(f *testing.F) {
	f.Add("DISK$USER:[MY.NOTES]NOTE123456.TXT;3")
	f.Add("D:[A^.B]^20^_.T")
	f.Fuzz(func(t *testing.T, spec string) {
		v, err := FromVMS("h", spec)
		if err != nil {
			return
		}
		u, err := locator.Build(v)
		if err != nil {
			t.Fatalf("%q: %v", spec, err)
		}
		// The VMS form of a converted name is a VMS file name, and converts to itself.
		once := VMS(v)
		again, err := FromVMS("h", once)
		if err != nil || VMS(again) != once {
			t.Fatalf("%q is %s, and back %q, which is no VMS file name: %v", spec, u.Text(), once, err)
		}
	})
}
