package httptest

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"locator/schemetest/peer"
)

// maxBody is the maximum size of the body of a PUT or POST.
const maxBody = 64 << 20

// serve handles a request. It splits the path before decoding it, so that an encoded "/" stays in
// its segment.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	s.handlers.Add(1)
	defer s.handlers.Done()
	s.Seen(r.Method + " " + r.RequestURI + " " + r.Proto)
	if text := s.certificateError(r); text != "" {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Connection", "close")
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintf(w, "<html>\r\n<head><title>400 %s</title></head>\r\n<body>\r\n<center><h1>400 Bad Request</h1></center>\r\n</body>\r\n</html>\r\n", text)
		return
	}
	if f := s.Fault(); f != peer.NoFault && s.show(f, w, r) {
		return
	}
	raw, _, _ := strings.Cut(r.RequestURI, "?")
	var segments []string
	for i, text := range strings.Split(raw, "/") {
		segment, err := url.PathUnescape(text)
		if err != nil || i == 0 && text != "" || strings.Contains(segment, "\x00") {
			http.Error(w, "400 Bad Request", http.StatusBadRequest)
			return
		}
		if i > 0 {
			segments = append(segments, segment)
		}
	}
	switch segments[0] {
	case "redirect", "moved", "loop", "busy":
		if len(segments) == 1 {
			s.special(w, r, segments[0])
			return
		}
	case "login":
		user, password, _ := r.BasicAuth()
		if user != User || password != Password {
			w.Header().Set("WWW-Authenticate", `Basic realm="the login area", charset="UTF-8"`)
			http.Error(w, "401 Unauthorized", http.StatusUnauthorized)
			return
		}
		segments = segments[1:]
	case "digest":
		if !s.knows(w, r) {
			return
		}
		segments = segments[1:]
	case "exact": // the same tree; as in nginx, only an equal If-Modified-Since gives a 304
		segments = segments[1:]
		if f, ok := s.tree.file(segments); ok && r.Header.Get("If-Modified-Since") != f.Modified.Format(http.TimeFormat) {
			r.Header.Del("If-Modified-Since")
		}
	case "gzip": // the same tree, compressed if the client accepts gzip
		segments = segments[1:]
		if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") && r.Header.Get("Range") == "" {
			z := &compressed{ResponseWriter: w, z: gzip.NewWriter(w)}
			defer z.z.Close()
			w = z
		}
	}
	if len(segments) == 0 {
		http.Redirect(w, r, raw+"/", http.StatusMovedPermanently)
		return
	}
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		s.get(w, r, raw, segments)
	case http.MethodPut, http.MethodPost:
		s.store(w, r, segments)
	case http.MethodDelete:
		if !s.tree.remove(segments) {
			http.NotFound(w, r)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	default:
		w.Header().Set("Allow", "GET, HEAD, PUT, POST, DELETE")
		http.Error(w, "405 Method Not Allowed", http.StatusMethodNotAllowed)
	}
}

func (s *Server) special(w http.ResponseWriter, r *http.Request, name string) {
	switch name {
	case "redirect":
		http.Redirect(w, r, "/text.txt", http.StatusFound)
	case "moved":
		http.Redirect(w, r, "/text.txt", http.StatusMovedPermanently)
	case "loop":
		http.Redirect(w, r, "/loop", http.StatusFound)
	case "busy":
		w.Header().Set("Retry-After", "60")
		http.Error(w, "503 Service Unavailable", http.StatusServiceUnavailable)
	}
}

func (s *Server) get(w http.ResponseWriter, r *http.Request, raw string, segments []string) {
	if last := len(segments) - 1; segments[last] == "" {
		list, ok := s.tree.list(segments[:last])
		if !ok {
			http.NotFound(w, r)
			return
		}
		index(w, raw, segments[:last], list)
		return
	}
	f, ok := s.tree.file(segments)
	if !ok {
		if _, folder := s.tree.list(segments); folder {
			w.Header().Set("Location", raw+"/")
			http.Error(w, "301 Moved Permanently", http.StatusMovedPermanently)
			return
		}
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", typeOf(f.Path[len(f.Path)-1]))
	w.Header().Set("ETag", etag(f))
	http.ServeContent(w, r, "", f.Modified, strings.NewReader(f.Content))
}

func etag(f peer.File) string { return fmt.Sprintf(`"%x-%x"`, f.Modified.Unix(), len(f.Content)) }

func typeOf(name string) string {
	switch path.Ext(name) {
	case ".txt":
		return "text/plain"
	case ".html":
		return "text/html"
	}
	return "application/octet-stream"
}

// store replaces a file with a body (PUT), or appends the body (POST).
func (s *Server) store(w http.ResponseWriter, r *http.Request, segments []string) {
	if segments[len(segments)-1] == "" {
		http.Error(w, "409 Conflict", http.StatusConflict)
		return
	}
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, "400 Bad Request", http.StatusBadRequest)
		return
	}
	f := peer.File{Path: segments, Content: string(data), Modified: time.Now().UTC().Truncate(time.Second)}
	if r.Method == http.MethodPost {
		old, _ := s.tree.file(segments)
		f.Content = old.Content + f.Content
	}
	status := http.StatusCreated
	if s.tree.put(f) {
		status = http.StatusOK
	}
	w.Header().Set("Content-Type", "text/plain")
	w.Header().Set("ETag", etag(f))
	w.WriteHeader(status)
	fmt.Fprintf(w, "stored %d bytes of type %q\n", len(data), r.Header.Get("Content-Type"))
}

// compressed is a ResponseWriter that compresses the body with gzip.
type compressed struct {
	http.ResponseWriter
	z *gzip.Writer
}

// WriteHeader implements http.ResponseWriter.
func (c *compressed) WriteHeader(status int) {
	c.Header().Del("Content-Length")
	c.Header().Del("Accept-Ranges")
	c.Header().Set("Content-Encoding", "gzip")
	c.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (c *compressed) Write(p []byte) (int, error) { return c.z.Write(p) }
