package gateway

import (
	"bufio"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// latency is the longest time that a part of a page waits before it is sent.
const latency = 150 * time.Millisecond

// pools have what is large, and used again.
type pools struct {
	zips    sync.Pool // of *gzip.Writer, for pages; each has 800 KB
	buffers sync.Pool // of *[pieceSize]byte, for bodies
}

func newPools() *pools {
	return &pools{zips: sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}, buffers: sync.Pool{New: func() any { return new([pieceSize]byte) }}}
}

// output is the body of a page that is sent while it is made. It is compressed if the client accepts that.
type output struct {
	mu     sync.Mutex
	buf    *bufio.Writer
	zip    *gzip.Writer // nil if the page is not compressed
	zips   *sync.Pool
	flush  func() error
	timer  *time.Timer
	err    error
	closed bool
}

// newOutput begins the body of a response. Its header must be complete but for the encoding.
func (p *pools) newOutput(w http.ResponseWriter, r *http.Request, status int) *output {
	o := &output{zips: &p.zips, flush: http.NewResponseController(w).Flush}
	w.Header().Add("Vary", "Accept-Encoding")
	if acceptsGzip(r) {
		w.Header().Set("Content-Encoding", "gzip")
		o.zip = o.zips.Get().(*gzip.Writer)
		o.zip.Reset(w)
		o.buf = bufio.NewWriterSize(o.zip, 16<<10)
	} else {
		o.buf = bufio.NewWriterSize(w, 16<<10)
	}
	w.WriteHeader(status)
	return o
}

// Write implements io.Writer. What is written is sent after latency, with what is written until then.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.buf.Write(p)
	o.err = err
	if o.timer == nil && err == nil {
		o.timer = time.AfterFunc(latency, o.send)
	}
	return n, err
}

// failed reports whether the client has gone.
func (o *output) failed() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err != nil
}

func (o *output) send() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.timer = nil
	if o.closed || o.err != nil {
		return
	}
	o.err = o.buf.Flush()
	if o.err == nil && o.zip != nil {
		o.err = o.zip.Flush()
	}
	if o.err == nil {
		o.err = o.flush()
	}
}

// Close ends the body. It does not close the connection.
func (o *output) Close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	if o.timer != nil {
		o.timer.Stop()
	}
	if o.err == nil {
		o.err = o.buf.Flush()
	}
	if o.zip != nil {
		if o.err == nil {
			o.err = o.zip.Close()
		}
		o.zip.Reset(io.Discard)
		o.zips.Put(o.zip)
		o.zip = nil
	}
	return o.err
}

// acceptsGzip reports whether the client accepts compressed pages. A quality of 0 is a refusal (RFC 9110 12.5.3).
func acceptsGzip(r *http.Request) bool {
	for coding := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, params, _ := strings.Cut(coding, ";")
		q := strings.ReplaceAll(params, " ", "")
		if strings.TrimSpace(name) == "gzip" && q != "q=0" && !strings.HasPrefix(q, "q=0.0") {
			return true
		}
	}
	return false
}
