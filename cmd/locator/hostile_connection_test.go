package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"locator/internal/faults"
	"locator/scheme/http/httptest"
)

// connectionFaults are faults of connections and of this machine.
func connectionFaults() []fault {
	return []fault{
		{"cut at 0, 10, ... 90 % of the file, over ftp and http", cutAtTenths},
		{"reset at 0, 10, ... 90 %", resetAtTenths},
		{"cut twice in one run, with `--retries 2`", cutInOneRun},
		{"cut, and the file changes before the rest is requested", changedFile},
		{"a stall longer than `--timeout`: greeting, header, body, TLS handshake", stalls},
		{"slow, but not stalled", slow},
		{"http announces more than the body", longLength},
		{"disk full (a small tmpfs)", diskFull},
	}
}

// Covers: R1
func cutAtTenths(t *testing.T) { tenths(t, faults.Cut, aPart) }

// Covers: R2
func resetAtTenths(t *testing.T) { tenths(t, faults.Reset, perhaps) }

func tenths(t *testing.T, how faults.How, want left) {
	for _, x := range sites(t) {
		for tenth := range 10 {
			s := x.scene(t)
			what := fmt.Sprintf("cut at %d %%", 10*tenth)
			x.proxy.Set(faults.Fault{How: how, After: int64(len(x.content) * tenth / 10)})
			left := want
			if tenth == 0 {
				left = noPart
			}
			s.fails(what, 8, left)
			s.heals(what)
		}
	}
}

// Covers: R3
func cutInOneRun(t *testing.T) {
	for _, x := range sites(t) {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			s := x.scene(t)
			x.proxy.Set(faults.Fault{How: faults.Cut, After: int64(len(x.content) / 3), Times: 2})
			if errs := s.works("cut in one run", "--retries", "2"); strings.Count(errs, "; try ") != 2 {
				t.Errorf("it says %q", errs)
			}
		})
	}
}

// Covers: R4
func changedFile(t *testing.T) {
	for _, other := range [][]byte{octetsOf(fileSize, "other"), octetsOf(fileSize/4, "shorter"), octetsOf(2*fileSize, "longer")} {
		for _, x := range sites(t) {
			s := x.scene(t)
			x.proxy.Set(faults.Fault{How: faults.Cut, After: int64(len(x.content) / 2)})
			s.fails("changed", 8, aPart)
			x.replace(t, other)
			s.content = other
			if errs := s.heals("changed"); !strings.Contains(errs, "starting again") {
				t.Errorf("%s: a change is not noticed: %q", x.name, errs)
			}
		}
	}
}

// Covers: R5
func stalls(t *testing.T) {
	for _, x := range sites(t) {
		s := x.scene(t)
		x.proxy.Set(faults.Fault{How: faults.Stall, After: int64(len(x.content) / 2)})
		errs := s.fails("the body stalls", 8, aPart, "--timeout", "1500ms")
		if !strings.Contains(errs, "stalled") {
			t.Errorf("%s: it says %q", x.name, errs)
		}
		s.heals("the body stalls")
	}
	// A connection on which nothing arrives: no ftp greeting, no http response, no TLS handshake.
	f, h := ftpSite(t), httpSite(t)
	secure, err := httptest.Start(contentTree(h.content), httptest.TLS())
	if err != nil {
		t.Fatal(err)
	}
	defer secure.Close()
	for _, test := range []struct {
		target, url, healthy string
		content              []byte
	}{
		{f.ftp.Addr(), "ftp://%s/file.bin", "", f.content}, {h.http.Addr(), "http://%s/file.bin", "", h.content}, {secure.Addr(), "https://%s/file.bin", "", h.content},
	} {
		p, err := faults.TCP(test.target)
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		x := &site{name: test.url, proxy: p, url: fmt.Sprintf(test.url, p.Addr()), content: test.content}
		s := x.scene(t)
		p.Set(faults.Fault{How: faults.Stall})
		s.fails("silence", 8, noPart, "--timeout", "300ms")
		if !strings.HasPrefix(test.url, "ftp") { // ftp's data connections go past this proxy
			s.heals("silence", "--insecure")
		} else {
			s.heals("silence")
		}
	}
}

// Covers: R6
func slow(t *testing.T) {
	for _, x := range sites(t) {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			small := octetsOf(1_000_000, "small")
			x.replace(t, small)
			x.content = small
			s := x.scene(t)
			x.proxy.Set(faults.Fault{How: faults.Slow})
			s.works("slow", "--timeout", "1500ms") // of which it takes two seconds at least
		})
	}
}

// longLength announces a larger size than that of the body.
// Covers: R7
func longLength(t *testing.T) {
	x := httpSite(t)
	s := x.scene(t)
	n := len(x.content)
	x.proxy.Set(faults.Fault{Data: func(r io.Reader) io.Reader {
		return io.LimitReader(&replacer{r: r, old: fmt.Sprintf("Content-Length: %d\r\n", n), new: fmt.Sprintf("Content-Length: %d\r\n", n+1000)}, int64(n))
	}})
	s.fails("a long length", 8, aPart)
	s.heals("a long length")
}

// replacer replaces a text in the first chunk that contains it.
type replacer struct {
	r        io.Reader
	old, new string
	rest     []byte
	done     bool
}

func (x *replacer) Read(p []byte) (int, error) {
	if len(x.rest) == 0 {
		buf := make([]byte, 16<<10)
		n, err := x.r.Read(buf)
		if n == 0 {
			return 0, err
		}
		x.rest = buf[:n]
		if i := bytes.Index(x.rest, []byte(x.old)); i >= 0 && !x.done {
			x.done = true
			x.rest = append(append(append([]byte(nil), x.rest[:i]...), x.new...), x.rest[i+len(x.old):]...)
		}
	}
	n := copy(p, x.rest)
	x.rest = x.rest[n:]
	return n, nil
}

// diskFull downloads into a folder with room for a third of the file.
// Covers: R8
func diskFull(t *testing.T) {
	dir, grow := smallDisk(t)
	for _, x := range sites(t) {
		for _, flags := range [][]string{nil, {"--limit-rate", "1G"}} {
			s := x.scene(t)
			s.file, s.old = dir+"/file", nil
			if err := os.WriteFile(s.file, nil, 0o666); err != nil {
				t.Fatal(err)
			}
			errs := s.fails("disk full", 11, aPart, flags...)
			if !strings.Contains(errs, "no space left") {
				t.Errorf("%s: it says %q", x.name, errs)
			}
			shrink := grow()
			s.heals("disk full")
			os.Remove(s.file)
			shrink()
		}
	}
}

// TestChangedBeforeTheCut breaks a download off, and changes what has already arrived: the size and
// the rest stay. The server tells of the change by its time or tag, which the first run has kept
// without being asked to. No file is joined from the two.
//
// Covers: P4, T79
func TestChangedBeforeTheCut(t *testing.T) {
	t.Parallel()
	for _, x := range sites(t) {
		s := x.scene(t)
		x.proxy.Set(faults.Fault{How: faults.Cut, After: int64(len(x.content) / 2)})
		s.fails("cut", 8, aPart)
		other := bytes.Clone(x.content)
		copy(other, octetsOf(1000, "changed"))
		x.replace(t, other)
		s.content = other
		s.heals("changed")
	}
}
