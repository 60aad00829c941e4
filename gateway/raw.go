package gateway

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"locator/internal/safename"
	"locator/scheme"
)

// raw serves the bytes of a resource to a browser. They come from a stranger: a browser must not run them, nor take them for a page of
// the gateway.
func (x *exchange) raw() {
	res, err := x.open()
	if err != nil {
		x.problem(err)
		return
	}
	defer res.Close()
	if x.unchanged(res) {
		return
	}
	h := x.w.Header()
	switch {
	case res.Kind == scheme.KindListing:
		x.rawListing(res)
		return
	case res.Kind != scheme.KindObject:
		x.problem(scheme.Fail(scheme.CodeUnsupported, "a %s has no bytes to send; its page shows it", res.Kind))
		return
	}
	head := peek(res)
	found := typeOf(res, head)
	if res.Attr.Type = safeType(found); x.settings.Charset != "" && showOf(res.Attr.Type) == showText {
		res.Attr.Type = "text/plain; charset=" + x.settings.Charset
	}
	sandbox(h)
	if x.g.isContent(x.r) {
		h.Set("Cross-Origin-Resource-Policy", "cross-origin") // pages of the gateway show it
		if isPDF(found) && bytes.HasPrefix(head, []byte("%PDF-")) && x.place.view == viewRaw {
			res.Attr.Type = "application/pdf"
			h.Del("Content-Security-Policy") // browsers show no document in a sandbox
			x.send(res)
			return
		}
	}
	if name := x.fileName(res); x.place.view == viewFile || showOf(res.Attr.Type) == showNone {
		h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	}
	x.send(res)
}

// sandbox sets the header fields of a body from a stranger.
func sandbox(h http.Header) {
	h.Set("Content-Security-Policy", "sandbox; default-src 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("X-Robots-Tag", "noindex, nofollow")
	h.Set("Cache-Control", "private, no-cache")
}

// safeType returns the media type that a browser is told: what could contain a program is plain text, and what browsers do not show by
// themselves is only a file.
func safeType(mediaType string) string {
	switch showOf(mediaType) {
	case showImage, showAudio, showVideo:
		t, _, _ := strings.Cut(mediaType, ";")
		if t, _, err := mime.ParseMediaType(t); err == nil && strings.Contains(t, "/") { // browsers take the last of a list of types
			return t
		}
	case showText:
		_, params, err := mime.ParseMediaType(mediaType)
		if c := params["charset"]; err == nil && c != "" {
			return mime.FormatMediaType("text/plain", map[string]string{"charset": c})
		}
		return "text/plain"
	}
	return "application/octet-stream"
}

// fileName returns the name for a download.
func (x *exchange) fileName(res *scheme.Resource) string {
	name := x.g.client.FileName(res.URL, false)
	return safename.Portable().Make(name)
}

// open opens the resource as the fields of the request ask: a part of it, only if it has changed, or only its attributes.
func (x *exchange) open() (*scheme.Resource, error) {
	o := scheme.AccessOptions{Range: rangeOf(x.r), If: conditionsOf(x.r), Detail: true} // with the date, which ftp says only if it is asked
	if x.r.Method == http.MethodHead {
		r := x.request()
		res, err := x.g.client.Attributes(x.r.Context(), r, &scheme.AttributesOptions{})
		var of *scheme.Error
		if !errors.As(err, &of) || of.Code != scheme.CodeUnsupported {
			return res, err
		}
	}
	res, err := x.access(o)
	if err != nil || res.Range.IsZero() {
		return res, err
	}
	if size, known := res.Attr.Size.Get(); known {
		rest := size - res.Range.Offset
		if res.Range.Length == 0 || res.Range.Length > rest {
			res.Range.Length = max(rest, 0)
		}
	}
	if res.Range.Length > 0 {
		return res, nil
	}
	res.Close() // nobody knows where the part ends, and Content-Range must say it (RFC 9110 14.4): the whole is sent
	o.Range = scheme.Range{}
	return x.access(o)
}

// send sends the bytes of an object, with what is known of it.
func (x *exchange) send(res *scheme.Resource) {
	h := x.w.Header()
	a := res.Attr
	if a.Type != "" {
		h.Set("Content-Type", a.Type)
	}
	if a.ETag != "" {
		h.Set("ETag", line(a.ETag))
	}
	if !a.Modified.IsZero() {
		h.Set("Last-Modified", a.Modified.UTC().Format(http.TimeFormat))
	}
	if a.Ranges {
		h.Set("Accept-Ranges", "bytes")
	}
	size, known := a.Size.Get()
	status := http.StatusOK
	switch {
	case res.NotModified:
		x.w.WriteHeader(http.StatusNotModified)
		return
	case !res.Range.IsZero():
		status = http.StatusPartialContent
		part, total := res.Range, "*"
		if known {
			total = strconv.FormatInt(size, 10)
		}
		h.Set("Content-Range", "bytes "+strconv.FormatInt(part.Offset, 10)+"-"+strconv.FormatInt(part.Offset+part.Length-1, 10)+"/"+total)
		h.Set("Content-Length", strconv.FormatInt(part.Length, 10))
	case known:
		h.Set("Content-Length", strconv.FormatInt(size, 10))
	}
	x.share(res)
	x.w.WriteHeader(status)
	if x.r.Method == http.MethodHead || res.Body == nil {
		return
	}
	x.copyBody(res.Body)
}

// copyBody sends a body as it arrives. If it ends with an error, the response must not look complete: the connection is cut.
func (x *exchange) copyBody(body io.Reader) {
	flush := http.NewResponseController(x.w).Flush
	buffer := x.g.pools.buffers.Get().(*[pieceSize]byte)
	defer x.g.pools.buffers.Put(buffer)
	buf := buffer[:]
	for {
		n, err := body.Read(buf)
		if n > 0 {
			if _, bad := x.w.Write(buf[:n]); bad != nil {
				return
			}
			if n < len(buf) {
				flush() // nothing waits: the server is slower than the client
			}
		}
		if err == io.EOF {
			return
		}
		if err != nil {
			x.g.opt.Log.Info("a body broke off", "url", shown(x.u).Redacted(), "error", err.Error())
			panic(http.ErrAbortHandler)
		}
	}
}

// rangeOf returns the only range of a request; the zero value if there is none, or one that a gateway need not serve (RFC 9110 14.2).
func rangeOf(r *http.Request) (x scheme.Range) {
	spec, ok := strings.CutPrefix(r.Header.Get("Range"), "bytes=")
	from, to, isRange := strings.Cut(spec, "-")
	first, err := strconv.ParseInt(strings.TrimSpace(from), 10, 63)
	if !ok || !isRange || err != nil || strings.Contains(spec, ",") || r.Method != http.MethodGet {
		return x
	}
	x.Offset = first
	if to = strings.TrimSpace(to); to != "" {
		last, err := strconv.ParseInt(to, 10, 63)
		if err != nil || last < first {
			return scheme.Range{}
		}
		x.Length = last - first + 1
	}
	return x
}

// conditionsOf returns the conditions of a request.
func conditionsOf(r *http.Request) (c scheme.Conditions) {
	if tag := r.Header.Get("If-None-Match"); tag != "" && !strings.Contains(tag, ",") && tag != "*" {
		c.NoneMatch = tag
	} else if t, err := http.ParseTime(r.Header.Get("If-Modified-Since")); err == nil && tag == "" {
		c.ModifiedSince = t
	}
	if tag := r.Header.Get("If-Range"); strings.HasPrefix(tag, `"`) {
		c.RangeTag = tag
	} else if t, err := http.ParseTime(tag); err == nil {
		c.RangeModified = t.Truncate(time.Second)
	}
	return c
}
