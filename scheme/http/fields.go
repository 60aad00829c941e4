package http

import (
	"math"
	nethttp "net/http"
	pathpkg "path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/http/httpguts"

	"locator"
	"locator/scheme"
	"locator/wire"
)

// newRequest returns the request for r. Its context is set when it is sent.
func (s Scheme) newRequest(env *scheme.Env, r scheme.Request, o scheme.AccessOptions, p place, via *proxy, method string) (*nethttp.Request, error) {
	u, err := s.target(r.URL, o.Type, p, via)
	if err != nil {
		return nil, err
	}
	req := &nethttp.Request{Method: method, URL: u, Host: p.authority, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: make(nethttp.Header)}
	h := req.Header
	h.Set("User-Agent", scheme.Setting[Settings](env).UserAgent) // an empty one is not sent
	if via != nil && via.login != "" && s.name == "http" {
		h.Set("Proxy-Authorization", via.login)
	}
	if len(o.Accept.Types) > 0 {
		h.Set("Accept", qualityList(o.Accept.Types))
	}
	if len(o.Accept.Languages) > 0 {
		h.Set("Accept-Language", qualityList(o.Accept.Languages))
	}
	if method == nethttp.MethodGet {
		if o.Type == 'i' || isCompressed(r.URL) || !o.Range.IsZero() { // a part of a compressed body cannot be decompressed
			h.Set("Accept-Encoding", "identity") // otherwise net/http asks for gzip, and decompresses it
		}
		if !o.Range.IsZero() {
			h.Set("Range", rangeField(o.Range))
			if v := ifRange(o.If); v != "" {
				h.Set("If-Range", v)
			}
		}
		if o.If.NoneMatch != "" {
			h.Set("If-None-Match", o.If.NoneMatch)
		}
		if !o.If.ModifiedSince.IsZero() {
			h.Set("If-Modified-Since", o.If.ModifiedSince.UTC().Format(nethttp.TimeFormat))
		}
	}
	if err := addFields(req, r.Header); err != nil {
		return nil, err
	}
	return req, checkFields(h)
}

// checkFields returns an error if a header field cannot be sent.
func checkFields(h nethttp.Header) error {
	for name, values := range h {
		if !httpguts.ValidHeaderFieldName(name) {
			return scheme.Fail(scheme.CodeRefused, "invalid header field name \"%s\"", wire.Escape(name))
		}
		for _, v := range values {
			if !httpguts.ValidHeaderFieldValue(v) {
				if err := wire.Check("header field "+name, v, ""); err != nil {
					return scheme.Fail(scheme.CodeRefused, "%w", err)
				}
				return scheme.Fail(scheme.CodeRefused, "the header field %s contains a control character", name)
			}
		}
	}
	return nil
}

// isCompressed reports whether the name of a resource says that its bytes are compressed.
//
// QUIRK: mini_httpd 1.30 sends each .gz file with Content-Encoding: gzip, even if it was not asked
// to. Decompressed, a .tar.gz would not be what its name says, and its checksum would not be that
// of its publisher.
func isCompressed(u locator.URL) bool {
	path, _ := u.Path()
	return slices.Contains([]string{".gz", ".tgz", ".svgz", ".z", ".bz2", ".xz", ".zst", ".br"}, strings.ToLower(pathpkg.Ext(path)))
}

// addFields adds the header lines that the user configured. They override the fields set by this
// package.
func addFields(req *nethttp.Request, lines []string) error {
	own := make(map[string]bool)
	for _, line := range lines {
		name, value, ok := strings.Cut(line, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || !httpguts.ValidHeaderFieldName(name) {
			first, _, _ := strings.Cut(name, " ") // the rest may be a secret
			return scheme.Fail(scheme.CodeUsage, "a header line must be \"Name: value\"; this one begins with %q", wire.Escape(first))
		}
		name = nethttp.CanonicalHeaderKey(name)
		switch name {
		case "Host":
			req.Host = value
		case "Range", "If-Range":
			return scheme.Fail(scheme.CodeUsage, "the header field %s cannot be set; it would make a part of the resource look like the whole", name)
		case "Content-Length", "Transfer-Encoding", "Connection", "Trailer":
			return scheme.Fail(scheme.CodeUsage, "the header field %s cannot be set; it depends on the body and the connection", name)
		default:
			if !own[name] {
				req.Header.Del(name)
				own[name] = true
			}
			req.Header.Add(name, value)
		}
	}
	return nil
}

// qualityList returns a list of preferences, best first, with quality values (RFC 9110 12.4.2).
func qualityList(list []string) string {
	all := slices.Clone(list)
	for i := 1; i < len(all); i++ {
		all[i] += ";q=0." + strconv.Itoa(max(1, 10-i))
	}
	return strings.Join(all, ", ")
}

// rangeField returns the value of a Range field (RFC 9110 14.2).
func rangeField(r scheme.Range) string {
	end := ""
	if r.Length > 0 && r.Offset <= math.MaxInt64-r.Length {
		end = strconv.FormatInt(r.Offset+r.Length-1, 10)
	}
	return "bytes=" + strconv.FormatInt(r.Offset, 10) + "-" + end
}

// ifRange returns the value of If-Range for resuming a partial copy (RFC 9110 13.1.5): a strong
// entity tag, or the date if there is no entity tag at all. It returns "" if there is no usable
// validator.
func ifRange(c scheme.Conditions) string {
	switch {
	case strings.HasPrefix(c.RangeTag, `"`):
		return c.RangeTag
	case c.RangeTag == "" && !c.RangeModified.IsZero():
		return c.RangeModified.UTC().Format(nethttp.TimeFormat)
	}
	return ""
}
