package http

import (
	"maps"
	nethttp "net/http"
	"slices"
	"strings"
	"time"

	"locator/scheme"
)

// freshness returns how long a response may be used by several users without asking the server
// again, and whether it must not be kept for others (RFC 9111 3 and 4.2.1). Fields that contradict
// each other count as the shortest time. A response that sets a cookie may be for one user. One with
// another status than 200, 206 or 304, such as 202 or 300, would lose it.
func (a *response) freshness() (fresh scheme.Count, noStore bool) {
	switch a.StatusCode {
	case nethttp.StatusOK, nethttp.StatusPartialContent, nethttp.StatusNotModified:
	default:
		return scheme.Count{}, true
	}
	said := directives(a.Header.Values("Cache-Control"))
	_, private := said["private"]
	_, never := said["no-store"]
	if _, any := directives(a.Header.Values("Vary"))["*"]; private || never || any || len(a.Header.Values("Set-Cookie")) > 0 {
		return scheme.Count{}, true
	}
	if _, ok := said["no-cache"]; ok || len(a.Header.Values("Cache-Control")) == 0 && a.Header.Get("Pragma") == "no-cache" {
		return scheme.Known(0), false
	}
	age, _ := parseSize(a.Header.Get("Age"))
	for _, name := range []string{"s-maxage", "max-age"} {
		if text, ok := said[name]; ok {
			n, _ := parseSize(text) // a wrong one is over (RFC 9111 4.2.1)
			return scheme.Known(max(n-age, 0)), false
		}
	}
	if expires := a.Header.Values("Expires"); len(expires) > 0 {
		end, err := nethttp.ParseTime(expires[0])
		now, bad := nethttp.ParseTime(a.Header.Get("Date"))
		if bad != nil {
			now = time.Now()
		}
		if err != nil || len(expires) > 1 {
			end = now
		}
		return scheme.Known(max(int64(end.Sub(now)/time.Second)-age, 0)), false
	}
	return scheme.Count{}, false
}

// directives returns the directives of Cache-Control fields, with their values. A directive that is
// there twice has the first value (RFC 9111 4.2.1).
func directives(fields []string) map[string]string {
	all := make(map[string]string)
	for _, field := range slices.Backward(fields) {
		one := make(map[string]string)
		for item := range strings.SplitSeq(field, ",") {
			name, value, _ := strings.Cut(strings.TrimSpace(item), "=")
			if _, ok := one[strings.ToLower(name)]; !ok {
				one[strings.ToLower(name)] = strings.Trim(value, `"`)
			}
		}
		maps.Copy(all, one)
	}
	return all
}
