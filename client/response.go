package client

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"locator/scheme"
)

// referral returns a redirect response to the first target.
func referral(req *http.Request, res *scheme.Resource) (*http.Response, error) {
	defer res.Close()
	if len(res.Next) == 0 {
		return nil, scheme.Fail(scheme.CodeProtocol, "the referral has no target")
	}
	resp := response(req, redirectStatus(req, res), nil)
	resp.Header.Set("Location", res.Next[0].URL.Text())
	return resp, nil
}

// redirectStatus returns the server's own status if it is that of an HTTP redirect. Otherwise it
// chooses one that keeps the method of the request: after 301 and 302 an http.Client follows a PUT
// by a GET, whose success it would report.
func redirectStatus(req *http.Request, res *scheme.Resource) int {
	switch status, _ := strconv.Atoi(res.Status); status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return status
	}
	switch sends := req.Method == http.MethodPut || req.Method == http.MethodPost; {
	case sends && res.Permanent:
		return http.StatusPermanentRedirect
	case sends:
		return http.StatusTemporaryRedirect
	case res.Permanent:
		return http.StatusMovedPermanently
	}
	return http.StatusFound
}

// errorResponse returns a response for errors that have an HTTP status (login needed, not found,
// gone, unavailable), else err.
func (t *transport) errorResponse(req *http.Request, err error) (*http.Response, error) {
	switch code := CodeOf(err); code {
	case scheme.CodeLoginNeeded, scheme.CodeNotFound, scheme.CodeGone, scheme.CodeUnavailable:
		text := err.Error() + "\n"
		resp := response(req, code.HTTP(), io.NopCloser(strings.NewReader(text)))
		resp.ContentLength = int64(len(text))
		resp.Header.Set("Content-Type", "text/plain; charset=utf-8")
		return resp, nil
	}
	return nil, err
}

func response(req *http.Request, status int, body io.ReadCloser) *http.Response {
	resp := &http.Response{
		Status: fmt.Sprintf("%d %s", status, http.StatusText(status)), StatusCode: status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: make(http.Header), Body: body, ContentLength: -1, Request: req,
	}
	if body == nil {
		resp.Body, resp.ContentLength = http.NoBody, 0
	}
	return resp
}

func describe(resp *http.Response, a scheme.Attr) {
	if n, ok := a.Size.Get(); ok {
		resp.ContentLength = n
		resp.Header.Set("Content-Length", strconv.FormatInt(n, 10))
	}
	if a.Type != "" {
		resp.Header.Set("Content-Type", a.Type)
	}
	if a.ETag != "" {
		resp.Header.Set("ETag", a.ETag)
	}
	if !a.Modified.IsZero() {
		resp.Header.Set("Last-Modified", a.Modified.UTC().Format(http.TimeFormat))
	}
}

func object(req *http.Request, res *scheme.Resource) *http.Response {
	if res.NotModified {
		return response(req, http.StatusNotModified, nil)
	}
	resp := response(req, http.StatusOK, res.Body)
	describe(resp, res.Attr)
	if res.Range.IsZero() {
		return resp
	}
	resp.StatusCode, resp.Status = http.StatusPartialContent, "206 Partial Content"
	total, length := "*", res.Range.Length
	size, known := res.Attr.Size.Get()
	if rest := size - res.Range.Offset; known {
		total = strconv.FormatInt(size, 10)
		if length == 0 || length > rest {
			length = rest
		}
	}
	resp.Header.Del("Content-Length") // that of the whole
	resp.ContentLength = -1
	if known || length > 0 {
		resp.ContentLength = length
		resp.Header.Set("Content-Length", strconv.FormatInt(length, 10))
	}
	if length > 0 { // no other part can be described
		resp.Header.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%s", res.Range.Offset, res.Range.Offset+length-1, total))
	}
	return resp
}

// listing returns a response with the URLs of the entries, one per line (text/uri-list, RFC 2483).
func listing(req *http.Request, res *scheme.Resource) (*http.Response, error) {
	defer res.Close()
	var b bytes.Buffer
	for e, err := range res.Entries {
		if err != nil {
			return nil, err
		}
		if !e.URL.IsZero() {
			b.WriteString(e.URL.Text() + "\r\n")
		}
	}
	resp := response(req, http.StatusOK, io.NopCloser(&b))
	resp.ContentLength = int64(b.Len())
	resp.Header.Set("Content-Type", "text/uri-list; charset=us-ascii")
	return resp, nil
}
