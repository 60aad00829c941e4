package gateway

import (
	"cmp"
	"io"
	"net/http"
	"time"
)

// The limits of a client that sends or reads nothing.
const (
	bodyTime     = 30 * time.Second
	responseTime = time.Minute
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
		body := &slowBody{ReadCloser: r.Body, limit: cmp.Or(g.opt.Service.ReadTime, bodyTime), control: http.NewResponseController(w)}
		body.extend() // also for what net/http reads if no page does
		r.Body = body
	}
	if len(r.TransferEncoding) > 0 {
		w.Header().Set("Connection", "close") // it may have had a Content-Length, too (RFC 9112 6.1)
	}
	return &recorder{ResponseWriter: w, limit: cmp.Or(g.opt.Service.WriteTime, responseTime)}
}

// WriteHeader implements http.ResponseWriter.
func (r *recorder) WriteHeader(status int) {
	if r.status == 0 && (status >= 200 || status == http.StatusSwitchingProtocols) {
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

// slowBody is the body of a request. Each read has its own deadline. At the end there is none, since net/http then reads from the
// connection to see whether the client goes.
type slowBody struct {
	io.ReadCloser
	limit   time.Duration
	control *http.ResponseController
	ended   bool
}

func (b *slowBody) Read(p []byte) (int, error) {
	if !b.ended {
		b.extend()
	}
	n, err := b.ReadCloser.Read(p)
	if err == io.EOF {
		b.ended = true
		b.control.SetReadDeadline(time.Time{})
	}
	return n, err
}

func (b *slowBody) extend() { b.control.SetReadDeadline(time.Now().Add(b.limit)) } // not every ResponseWriter has deadlines
