package schemetest

import (
	"crypto/tls"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"locator"
	"locator/schemetest/peer"
)

// The suite detects an incorrect harness.
func TestSuiteDoubtsHarness(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Harness)
		duty   string
	}{
		{"it dials, after all", func(h *Harness) { h.Local = true }, "policy"},
		{"no hostile URLs", func(h *Harness) { h.Hostile = nil }, "hostile"},
		{"hostile text that is no URL", func(h *Harness) { h.Hostile = []string{"ftp://HOST/\r\n"} }, "hostile"},
		{"a hostile URL that is harmless", func(h *Harness) { h.Hostile = []string{"ftp://HOST/text.txt"} }, "hostile"},
		{"a login that is none", func(h *Harness) { h.Login = func(s Server) locator.URL { return s.URL("text.txt") } }, "secrets"},
		{"nowhere to write", func(h *Harness) { h.Writable = nil }, "replace"},
		{"what is missing is there", func(h *Harness) { h.Missing = []string{"text.txt"} }, "missing"},
		{"replies, after all", func(h *Harness) { h.NoReplies = true }, "missing"},
		{"a login with another password", func(h *Harness) { h.Password = "other" }, "secrets"},
		{"titles, and none leads anywhere", func(h *Harness) { h.Titles, h.Scheme = true, fake{flaw: "decodes names twice"} }, "list"},
		{"an exception from no duty", func(h *Harness) { h.Except = map[string]string{"no such duty": "a reason"} }, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := fakeHarness("")
			tt.change(h)
			r := newRecorder(t)
			run(r, h, slices.DeleteFunc(duties(), func(d duty) bool { return d.name != tt.duty }), quick)
			if len(r.failed[tt.duty]) == 0 {
				t.Errorf("the duty %q does not notice", tt.duty)
			}
		})
	}
}

// The suite skips the duties in Except, and no others.
func TestSuiteExcepts(t *testing.T) {
	h := fakeHarness("loses names")
	h.Except = map[string]string{"list": "a reason"}
	r := newRecorder(t)
	run(r, h, slices.DeleteFunc(duties(), func(d duty) bool { return d.name != "list" && d.name != "file system" }), quick)
	if len(r.failed["list"]) > 0 || len(r.failed["file system"]) == 0 {
		t.Errorf("got %q", r.failed)
	}
}

// With Titles, entries are identified by URL.
func TestSuiteTitles(t *testing.T) {
	list := slices.DeleteFunc(duties(), func(d duty) bool { return d.name != "list" })
	for _, titles := range []bool{false, true} {
		h := fakeHarness("names for people")
		h.Titles = titles
		r := newRecorder(t)
		run(r, h, list, quick)
		if failed := len(r.failed["list"]) > 0; failed == titles {
			t.Errorf("with Titles %v: %q", titles, r.failed["list"])
		}
	}
}

// recorder is a tester that records failures.
type recorder struct {
	t      *testing.T
	name   string
	top    *recorder
	mu     sync.Mutex
	failed map[string][]string // by duty
}

func newRecorder(t *testing.T) *recorder {
	r := &recorder{t: t, failed: make(map[string][]string)}
	r.top = r
	return r
}

func (r *recorder) Helper()             {}
func (r *recorder) testing() *testing.T { return r.t }

func (r *recorder) Logf(format string, args ...any) { r.t.Logf(r.name+": "+format, args...) }

func (r *recorder) Errorf(format string, args ...any) {
	r.top.mu.Lock()
	defer r.top.mu.Unlock()
	r.top.failed[r.name] = append(r.top.failed[r.name], fmt.Sprintf(format, args...))
}

func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}

// Run runs f until it returns or calls Fatalf.
func (r *recorder) Run(name string, f func(tester)) bool {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f(&recorder{t: r.t, name: name, top: r.top})
	}()
	<-done
	return true
}

// fakeHarness returns the harness of a fake with a flaw.
func fakeHarness(flaw string) *Harness {
	return &Harness{
		Scheme: fake{flaw: flaw},
		Start:  startFake,
		Faults: []Fault{Stall, StallBody, Torn, Short, EndlessLine, EndlessList, Nonsense, WrongCode, Unavailable, Drip},
		Hostile: []string{
			"ftp://HOST/x%0D%0APUT%20etc/motd",
			"ftp://HOST/etc/motd%00.txt",
			"ftp://HOST/etc/motd%0D",
			"ftp://127.0.0.1:25/x",
		},
		Login:    func(s Server) locator.URL { return s.(*fakeServer).login() },
		Referral: func(s Server) locator.URL { return s.URL("moved") },
		Writable: []string{"etc", "new"},
	}
}

// quick has short timeouts for tests of hangs.
var quick = timing{
	patience: 2 * time.Second,
	stop:     300 * time.Millisecond,
	idle:     150 * time.Millisecond,
	drip:     2 * time.Second,
	settle:   50 * time.Millisecond,
}

// A correct scheme passes the suite, and all duties are run.
func TestSuitePasses(t *testing.T) {
	h := fakeHarness("")
	for _, d := range duties() {
		if d.when != nil && !d.when(h) && d.name != "answers" && d.name != "TLS cut" && !strings.HasPrefix(d.name, "post") && !strings.HasPrefix(d.name, "session ") && !aboutDrafts(d.name) {
			t.Errorf("the duty %q is not tried", d.name)
		}
	}
	Run(t, *h)
}

// A scheme over TLS passes the duty about connections that are cut, and a scheme that accepts short
// bodies fails it.
func TestSuiteTLS(t *testing.T) {
	cert, err := peer.Certify()
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(duties(), func(d duty) bool { return d.name == "TLS cut" })
	for flaw, fails := range map[string]bool{"": false, "short body": true} {
		h := fakeHarness(flaw)
		h.Scheme = fake{flaw: flaw, tls: &tls.Config{RootCAs: cert.Roots(), ServerName: peer.Address}}
		h.Start = func(t *testing.T) Server { return serveFake(t, cert.Config()) }
		r := newRecorder(t)
		run(r, h, duties()[i:i+1], quick)
		if found := r.failed["TLS cut"]; (len(found) > 0) != fails {
			t.Errorf("%q: the duty reports %q", flaw, found)
		}
	}
}

// A correct scheme without files passes the suite; only the duties about files are skipped.
func TestSuiteAlone(t *testing.T) {
	h := fakeHarness("")
	h.Alone = func(s Server) locator.URL { return s.URL("big.bin") }
	h.Scheme = sessions{}
	h.Login, h.Referral = nil, nil // their URLs are those of files
	Run(t, *h)
}
