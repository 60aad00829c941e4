package gateway

import (
	"cmp"
	"io"
	"net/http"
	"sync"
	"time"
)

// The limits of a client that sends or reads nothing.
const (
	readTime  = 30 * time.Second
	writeTime = time.Minute
)

// recorder counts what is sent, for the log, and cuts a client that does not read.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
	limit  time.Duration
	set    time.Time // when the deadline was set
}

// record returns a recorder for a response. The body of the request ends with an error if the client sends nothing.
func (g *Gateway) record(w http.ResponseWriter, r *http.Request) *recorder {
	if r.Body != nil && r.Body != http.NoBody {
		r.Body = &slowBody{ReadCloser: r.Body, limit: cmp.Or(g.opt.Service.ReadTime, readTime), control: http.NewResponseController(w)}
	}
	return &recorder{ResponseWriter: w, limit: cmp.Or(g.opt.Service.WriteTime, writeTime)}
}

// WriteHeader implements http.ResponseWriter.
func (r *recorder) WriteHeader(status int) {
	if r.status == 0 && status >= 200 {
		r.status = status
	}
	r.extend()
	r.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter. Each write has its own deadline, so that a long body may take long, and a client that does not
// read is cut.
func (r *recorder) Write(p []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	r.extend()
	n, err := r.ResponseWriter.Write(p)
	r.bytes += int64(n)
	return n, err
}

// FlushError implements what http.ResponseController looks for.
func (r *recorder) FlushError() error {
	r.extend()
	return http.NewResponseController(r.ResponseWriter).Flush()
}

// extend sets the deadline of the next write.
func (r *recorder) extend() {
	if now := time.Now(); now.Sub(r.set) > r.limit/8 {
		r.set = now
		http.NewResponseController(r.ResponseWriter).SetWriteDeadline(now.Add(r.limit)) // not every ResponseWriter has deadlines
	}
}

// Unwrap is for http.ResponseController.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// slowBody is the body of a request. Each read has its own deadline.
type slowBody struct {
	io.ReadCloser
	limit   time.Duration
	control *http.ResponseController
	mu      sync.Mutex
	done    bool
}

func (b *slowBody) Read(p []byte) (int, error) {
	b.mu.Lock()
	if !b.done {
		b.control.SetReadDeadline(time.Now().Add(b.limit)) // not every ResponseWriter has deadlines
	}
	b.mu.Unlock()
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		b.end()
	}
	return n, err
}

// end removes the deadline: the connection has other requests, and net/http reads from it while this one runs.
func (b *slowBody) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.done {
		b.done = true
		b.control.SetReadDeadline(time.Time{})
	}
}

func (b *slowBody) Close() error {
	b.end()
	return b.ReadCloser.Close()
}
