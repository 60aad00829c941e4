package http

import (
	nethttp "net/http"
	"testing"

	"locator/scheme"
)

func TestFreshness(t *testing.T) {
	unknown := scheme.Count{}
	for _, tt := range []struct {
		fields  []string // names and values
		fresh   scheme.Count
		noStore bool
	}{
		{nil, unknown, false},
		{[]string{"Cache-Control", "max-age=60"}, scheme.Known(60), false},
		{[]string{"Cache-Control", `Public, MAX-AGE="60"`}, scheme.Known(60), false},
		{[]string{"Cache-Control", "max-age=60, s-maxage=5"}, scheme.Known(5), false},
		{[]string{"Cache-Control", "max-age=60", "Cache-Control", "max-age=600"}, scheme.Known(60), false},
		{[]string{"Cache-Control", "max-age=60, max-age=600"}, scheme.Known(60), false},
		{[]string{"Cache-Control", "max-age=60", "Age", "20"}, scheme.Known(40), false},
		{[]string{"Cache-Control", "max-age=60", "Age", "200"}, scheme.Known(0), false},
		{[]string{"Cache-Control", "max-age=soon"}, scheme.Known(0), false},
		{[]string{"Cache-Control", "max-age=-1"}, scheme.Known(0), false},
		{[]string{"Cache-Control", "no-cache, max-age=60"}, scheme.Known(0), false},
		{[]string{"Pragma", "no-cache"}, scheme.Known(0), false},
		{[]string{"Pragma", "no-cache", "Cache-Control", "max-age=60"}, scheme.Known(60), false},
		{[]string{"Cache-Control", "no-store"}, unknown, true},
		{[]string{"Cache-Control", "max-age=60, private"}, unknown, true},
		{[]string{"Cache-Control", `private="Set-Cookie"`}, unknown, true},
		{[]string{"Vary", "*"}, unknown, true},
		{[]string{"Vary", "Cookie, *"}, unknown, true},
		{[]string{"Set-Cookie", "session=1", "Cache-Control", "max-age=60"}, unknown, true},
		{[]string{"Vary", "Accept-Language"}, unknown, false},
		{[]string{"Date", "Sat, 28 Nov 2026 00:00:00 GMT", "Expires", "Sat, 28 Nov 2026 00:01:00 GMT"}, scheme.Known(60), false},
		{[]string{"Date", "Sat, 28 Nov 2026 00:00:00 GMT", "Expires", "Fri, 27 Nov 2026 00:01:00 GMT"}, scheme.Known(0), false},
		{[]string{"Date", "Sat, 28 Nov 2026 00:00:00 GMT", "Expires", "0"}, scheme.Known(0), false},
		{[]string{"Expires", "Thu, 01 Jan 1970 00:00:00 GMT"}, scheme.Known(0), false},
		{[]string{"Cache-Control", "max-age=60", "Expires", "0"}, scheme.Known(60), false},
	} {
		a := &response{Response: &nethttp.Response{StatusCode: nethttp.StatusOK, Header: make(nethttp.Header)}}
		for i := 0; i < len(tt.fields); i += 2 {
			a.Header.Add(tt.fields[i], tt.fields[i+1])
		}
		if fresh, noStore := a.freshness(); fresh != tt.fresh || noStore != tt.noStore {
			t.Errorf("%q: %s, %t, want %s, %t", tt.fields, fresh, noStore, tt.fresh, tt.noStore)
		}
	}
}

// A status that a response would lose is not kept with it.
func TestFreshnessOfStatus(t *testing.T) {
	for status, noStore := range map[int]bool{200: false, 201: true, 202: true, 203: true, 206: false, 300: true, 304: false} {
		a := &response{Response: &nethttp.Response{StatusCode: status, Header: nethttp.Header{"Cache-Control": {"max-age=60"}}}}
		if _, got := a.freshness(); got != noStore {
			t.Errorf("%d: %t, want %t", status, got, noStore)
		}
	}
}
