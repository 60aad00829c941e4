package linkfarm

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const pageText = "<!doctype html><html><head><title>A page</title></head><body><h1 id=\"top\">A page</h1></body></html>\n"

// found sends a page.
func found(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("ETag", `"1"`)
	io.WriteString(w, pageText)
}

// fresh sends a page that says of itself that it was made for this request.
func fresh(w http.ResponseWriter, r *http.Request) {
	http.SetCookie(w, &http.Cookie{Name: "session", Value: "1", Path: "/"})
	body(200, pageText)(w, r)
}

// body sends a page with fields, given as name and value in turns.
func body(status int, text string, fields ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		for i := 0; i+1 < len(fields); i += 2 {
			w.Header().Set(fields[i], fields[i+1])
		}
		w.WriteHeader(status)
		if status >= 200 && status != 204 && status != 304 {
			io.WriteString(w, text)
		}
	}
}

// status sends a status with a short page.
func status(n int, fields ...string) http.HandlerFunc {
	return body(n, fmt.Sprintf("<html><title>%d</title></html>", n), fields...)
}

// to redirects. The location is sent as it is.
func to(n int, location string) http.HandlerFunc { return status(n, "Location", location) }

// onHead answers HEAD differently.
func onHead(head, other http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodHead {
			head(w, r)
			return
		}
		other(w, r)
	}
}

// first answers the first n requests differently.
func first(n int64, bad, good http.HandlerFunc) http.HandlerFunc {
	var seen atomic.Int64
	return func(w http.ResponseWriter, r *http.Request) {
		if seen.Add(1) <= n {
			bad(w, r)
			return
		}
		good(w, r)
	}
}

// tries answers badly until n requests other than HEAD were made.
func tries(n int64, bad, good http.HandlerFunc) http.HandlerFunc {
	var seen atomic.Int64
	return func(w http.ResponseWriter, r *http.Request) {
		before := seen.Load()
		if r.Method != http.MethodHead {
			before = seen.Add(1) - 1
		}
		if before < n {
			bad(w, r)
			return
		}
		good(w, r)
	}
}

// endKey is the key of the function that ends the count of a request. It is called before the
// client can see the end.
type endKey struct{}

func ended(r *http.Request) {
	if end, ok := r.Context().Value(endKey{}).(func()); ok {
		end()
	}
}

// hijack returns the connection of a request, and the function that closes it.
func hijack(w http.ResponseWriter, r *http.Request) (c net.Conn, closes func(), ok bool) {
	c, _, err := http.NewResponseController(w).Hijack()
	return c, func() { ended(r); c.Close() }, err == nil
}

// raw sends these bytes and closes the connection.
func raw(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if c, closes, ok := hijack(w, r); ok {
			defer closes()
			io.WriteString(c, text)
		}
	}
}

// hang sends nothing for a time, and closes the connection.
func hang(d time.Duration) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if c, closes, ok := hijack(w, r); ok {
			defer closes()
			c.SetReadDeadline(time.Now().Add(d))
			io.Copy(io.Discard, c)
		}
	}
}

// after waits before the answer.
func after(d time.Duration, then http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-time.After(d):
			then(w, r)
		}
	}
}

// cookie redirects to the page itself until the client sends a cookie.
func cookie(path string, then http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if c, err := r.Cookie("seen"); err == nil && c.Value == "yes" {
			then(w, r)
			return
		}
		http.SetCookie(w, &http.Cookie{Name: "seen", Value: "yes", Path: path})
		to(302, r.URL.Path)(w, r)
	}
}

// chain redirects n times, from PATH?n to PATH?n-1, and then answers.
func chain(status int, n int, then http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		left := n
		if q := r.URL.RawQuery; q != "" {
			left, _ = strconv.Atoi(q)
		}
		if left == 0 {
			then(w, r)
			return
		}
		to(status, fmt.Sprintf("%s?%d", r.URL.Path, left-1))(w, r)
	}
}

// endless redirects to a new URL each time.
func endless(w http.ResponseWriter, r *http.Request) {
	n, _ := strconv.Atoi(r.URL.RawQuery)
	to(302, fmt.Sprintf("%s?%d", r.URL.Path, n+1))(w, r)
}

// limit lets a client make a number of requests; then it refuses all for a time, once. It asks for
// that time if say is set.
func limit(h *host, requests int, d time.Duration, say bool, then http.HandlerFunc) http.HandlerFunc {
	var mu sync.Mutex
	seen, until := 0, time.Time{}
	return func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		seen++
		if seen == requests+1 {
			until = time.Now().Add(d)
		}
		// What is on its way when the server refuses is not late.
		closed, late := time.Now().Before(until), seen > requests+1 && time.Until(until) < d/2
		mu.Unlock()
		if !closed {
			then(w, r)
			return
		}
		if late && say {
			h.tooEarly()
		}
		if say {
			w.Header().Set("Retry-After", strconv.Itoa(int(d.Seconds()+0.999)))
		}
		w.WriteHeader(429)
	}
}

// large announces a body of 10 GB, and sends it as long as the client reads.
func large(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		const size int64 = 10 << 30
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Content-Length", strconv.FormatInt(size, 10))
		w.WriteHeader(status)
		ended(r) // the client reads no more than it wants
		piece := strings.Repeat("<p>a line\n", 1000)
		for n := int64(0); n < size && r.Method != http.MethodHead; n += int64(len(piece)) {
			if _, err := io.WriteString(w, piece); err != nil {
				return
			}
		}
	}
}
