package scheme

import (
	"strings"
	"testing"
)

// Covers: P3
func TestTrace(t *testing.T) {
	t.Parallel()
	// A nil trace and a trace without hooks do nothing.
	for _, tr := range []*Trace{nil, {}} {
		tr.OnConnected(Connection{Remote: "127.0.0.1:21"})
		tr.OnSent("NOOP")
		tr.OnReceived("200 ok")
		tr.OnNote("a note")
		tr.OnWarning("a warning")
	}
	var got []string
	tr := &Trace{
		Connected: func(c Connection) { got = append(got, "connected "+c.Dial.Addr+" "+c.Remote) },
		Sent:      func(line string) { got = append(got, "sent "+line) },
		Received:  func(line string) { got = append(got, "received "+line) },
		Note:      func(text string) { got = append(got, "note "+text) },
	}
	tr.OnConnected(Connection{Dial: Dial{Addr: "host.dom:21"}, Remote: "127.0.0.1:21"})
	tr.OnSent("PASS ****")
	tr.OnReceived("230 in")
	tr.OnNote("no MLSD, so LIST")
	tr.OnWarning("in the clear") // without a hook of its own
	tr = tr.And(&Trace{Warning: func(text string) { got = append(got, "warning "+text) }})
	tr.OnWarning("in the clear again")
	want := "connected host.dom:21 127.0.0.1:21|sent PASS ****|received 230 in|note no MLSD, so LIST|note in the clear|warning in the clear again"
	if text := strings.Join(got, "|"); text != want {
		t.Errorf("traced %q, want %q", text, want)
	}
}
