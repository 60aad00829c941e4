package gateway

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
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
	r = &recorder{ResponseWriter: httptest.NewRecorder(), limit: time.Minute}
	if r.WriteHeader(http.StatusSwitchingProtocols); r.status != http.StatusSwitchingProtocols {
		t.Errorf("%d", r.status)
	}
}
