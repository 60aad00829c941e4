package http_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"locator/client"
	"locator/scheme"
)

// A listing of objects is what a gateway has of another scheme. A wrong one ends with an error, whatever is in it.
func TestObjects(t *testing.T) {
	t.Parallel()
	const good = `{"name":"na\udcefve","url":"ftp://host.dom/na%EFve","kind":"object","size":3,"modified":"2001-02-03T04:05:00Z","precision":"minute","mode":"-rw-r-----",` +
		`"references":["a@b"],"mirrors":[{"name":"m","url":"ftp://b.dom/m","kind":"object"}]}`
	for name, x := range map[string]struct{ body, want string }{
		"entries":                          {good + "\n\n" + `{"name":"a note","url":null,"kind":"note","size":null,"x":[{}]}`, `"na\xefve" ftp://host.dom/na%EFve object 3 2001-02-03T04:05:00Z 1m0s -rw-r----- [a@b] 1|"a note"  note -1 0001-01-01T00:00:00Z 0s ---------- [] 0|`},
		"a bad URL":                        {`{"name":"x","url":"ftp://[","kind":"object"}`, `unread "x"  note -1 0001-01-01T00:00:00Z 0s ---------- [] 0|`},
		"an entry that was not read whole": {`{"name":"x","url":"x:y","kind":"object","unread":true}`, `unread "x" x:y object -1 0001-01-01T00:00:00Z 0s ---------- [] 0|`},
		"a plain URL":                      {`{"name":"x","url":"wais://h/d?x","kind":"object","plain":"wais://h/d/t/p"}`, `plain wais://h/d/t/p "x" wais://h/d?x object -1 0001-01-01T00:00:00Z 0s ---------- [] 0|`},
		"the same plain":                   {`{"name":"x","url":"ftp://h/","kind":"object","plain":"ftp://h/"}`, `"x" ftp://h/ object -1 0001-01-01T00:00:00Z 0s ---------- [] 0|`},
		"a line that was not read":         {`{"name":"x","url":null,"kind":"note","unread":true}`, `unread "x"  note -1 0001-01-01T00:00:00Z 0s ---------- [] 0|`},
		"odd values":                       {`{"name":"x","url":"x:y","kind":"nosuch","size":-4,"mode":"-"}`, `"x" x:y unknown -1 0001-01-01T00:00:00Z 0s ---------- [] 0|`},
		"an error":                         {`{"name":"x","url":"x:y","kind":"object"}` + "\n" + `{"url":"ftp://host.dom/","status":8,"error":"cut \u001b[1m"}`, `"x" x:y object -1 0001-01-01T00:00:00Z 0s ---------- [] 0|error`},
		"no JSON":                          {"<html>", "error"},
		"no objects":                       {`["x"]`, "error"},
		"a long line":                      {`{"name":"` + strings.Repeat("x", 2<<20) + `"}`, "error"},
		"a name that is no string":         {`{"name":{"a":1}}`, "error"},
		"nothing":                          {"", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, accepted := range []bool{true, false} {
				s := newScript(t, fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson; charset=utf-8\r\nContent-Length: %d\r\n\r\n%s", len(x.body), x.body)+hangUp)
				o, want := &scheme.ListOptions{}, "error"
				if accepted {
					o.Accept.Types, want = []string{"application/x-ndjson"}, x.want
				}
				got := ""
				for e, err := range client.Entries(web(t).List(t.Context(), scheme.Request{URL: parse(t, "http://"+s.addr+"/")}, o)) {
					if err != nil {
						if got += "error"; strings.Contains(err.Error(), "\x1b") {
							t.Errorf("%q", err)
						}
						break
					}
					if e.Unread {
						got += "unread "
					}
					a := e.Attr
					if !e.Plain.IsZero() {
						got += "plain " + e.Plain.Text() + " "
					}
					got += fmt.Sprintf("%q %s %v %d %s %v %v %v %d|", e.Name, e.URL, e.Kind, a.Size.Or(-1), a.Modified.Format(time.RFC3339), a.Precision, a.Mode, a.References, len(e.Mirrors))
				}
				if got != want {
					t.Errorf("accepted %v: %.300s\nwant %s", accepted, got, want)
				}
			}
		})
	}
}
