package main

import (
	"strings"
	"testing"

	"locator/internal/faults"
	"locator/scheme"
	"locator/scheme/ftp/ftptest"
	"locator/scheme/prospero/prosperotest"
	"locator/schemetest"
)

// The attributes are printed even if the request for a checksum fails.
func TestAttrWithoutDigest(t *testing.T) {
	t.Parallel()
	f, err := ftptest.Start(schemetest.Tree(), ftptest.Digests())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := faults.FTP(f.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	p.Set(faults.Fault{Command: func(line string) (answer string, hangUp, handled bool) {
		asked := strings.HasPrefix(line, "HASH ")
		return "421 No\x1b[2J\r\n", asked, asked
	}})
	out, errs, status := runText(t, "", "attr", "--details", "ftp://"+p.Addr()+"/text.txt")
	if status != scheme.CodeUnavailable.Exit() || !strings.Contains(out, "size           29\n") || !strings.Contains(errs, `421 No\x1b[2J`) {
		t.Errorf("status %d, %q, %q", status, out, errs)
	}
}

// A line of attr has no blanks at its end: values of a prospero attribute may be empty.
func TestAttrWithoutBlanks(t *testing.T) {
	t.Parallel()
	s, err := prosperotest.Start(schemetest.Tree())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	out, errs, status := runText(t, "", "attr", s.URL("text.txt").Text())
	if status != 0 || !strings.Contains(out, "ACCESS-METHOD PROSPERO-CONTENTS\n") || strings.Contains(out, " \n") {
		t.Errorf("status %d, %q, %q", status, out, errs)
	}
}
