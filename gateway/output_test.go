package gateway

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// A page that has ended sends nothing more, although its timer may have run out at that moment.
func TestOutputEnds(t *testing.T) {
	for _, coding := range []string{"", "gzip"} {
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Accept-Encoding", coding)
		o := newPools().newOutput(w, r, http.StatusOK)
		if _, err := o.Write([]byte("text")); err != nil {
			t.Fatal(err)
		}
		if err := o.Close(); err != nil {
			t.Fatal(err)
		}
		n := w.Body.Len()
		if o.send(); w.Flushed || w.Body.Len() != n {
			t.Errorf("%q: sent after the end", coding)
		}
	}
}
