package gateway

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"locator/client"
	"locator/scheme/all"
)

// cutWriter takes half of what is written.
type cutWriter struct{ http.ResponseWriter }

func (cutWriter) Write(p []byte) (int, error) { return len(p) / 2, io.ErrShortWrite }

// What is logged is what was sent.
func TestRecorder(t *testing.T) {
	r := &recorder{ResponseWriter: cutWriter{httptest.NewRecorder()}, limit: time.Minute}
	if r.WriteHeader(http.StatusEarlyHints); r.status != 0 {
		t.Errorf("%d", r.status)
	}
	if r.Write([]byte("abcd")); r.status != http.StatusOK || r.bytes != 2 {
		t.Errorf("%d, %d bytes", r.status, r.bytes)
	}
	if r.WriteHeader(http.StatusNotFound); r.status != http.StatusOK {
		t.Errorf("%d after a second status", r.status)
	}
	r = &recorder{ResponseWriter: httptest.NewRecorder(), limit: time.Minute}
	if r.WriteHeader(http.StatusSwitchingProtocols); r.status != http.StatusSwitchingProtocols {
		t.Errorf("%d", r.status)
	}
}

// timedWriter notes how long the connection had for each thing that was done.
type timedWriter struct {
	*httptest.ResponseRecorder
	write, read time.Time // the deadlines
	had         []time.Duration
	takes       time.Duration // how long a write takes
}

func (w *timedWriter) SetWriteDeadline(t time.Time) error { w.write = t; return nil }
func (w *timedWriter) SetReadDeadline(t time.Time) error  { w.read = t; return nil }
func (w *timedWriter) WriteHeader(int) {
	w.had = append(w.had, time.Until(w.write))
	time.Sleep(w.takes)
}
func (w *timedWriter) Write(p []byte) (int, error) { w.WriteHeader(0); return len(p), nil }
func (w *timedWriter) FlushError() error           { w.WriteHeader(0); return nil }

// Each write has its own deadline, and so has the rest, which net/http sends.
//
// Covers: GWS6
func TestRecorderDeadlines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const limit = 10 * time.Second
		w := &timedWriter{ResponseRecorder: httptest.NewRecorder()}
		r := (&Gateway{opt: Options{Service: Service{WriteTime: limit}}}).record(w, httptest.NewRequest("GET", "/", nil))
		for _, do := range []func(){func() { r.WriteHeader(200) }, func() { io.WriteString(r, "a") }, func() { http.NewResponseController(r).Flush() }} {
			time.Sleep(time.Minute)
			do()
			if had := w.had[len(w.had)-1]; had != limit {
				t.Errorf("write %d has %v, want %v", len(w.had), had, limit)
			}
		}
		if !w.read.IsZero() {
			t.Error("a request without a body has a deadline")
		}
		g, err := New(Options{Client: client.Options{Registry: all.Registry()}})
		if err != nil {
			t.Fatal(err)
		}
		defer g.Close()
		w = &timedWriter{ResponseRecorder: httptest.NewRecorder(), takes: responseTime / 2}
		g.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost/robots.txt", nil))
		if left := time.Until(w.write); left != responseTime {
			t.Errorf("the rest of a response has %v", left)
		}
	})
}

// Each read of a body has its own deadline, also what net/http reads of one that no page reads. After the body there is none.
//
// Covers: GWS6
func TestSlowBodyDeadlines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, r := &timedWriter{ResponseRecorder: httptest.NewRecorder()}, httptest.NewRequest("POST", "/", strings.NewReader("abc"))
		(&Gateway{}).record(w, r)
		for range 4 {
			if left := time.Until(w.read); left != bodyTime {
				t.Errorf("%v are left", left)
			}
			time.Sleep(time.Second)
			if n, err := r.Body.Read(make([]byte, 1)); n == 0 && err == io.EOF {
				break
			}
		}
		for range 2 {
			if !w.read.IsZero() {
				t.Error("a deadline after the body")
			}
			r.Body.Read(make([]byte, 1))
		}
	})
}
