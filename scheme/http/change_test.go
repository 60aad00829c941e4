package http_test

import (
	"strings"
	"testing"

	"locator/client"
	"locator/scheme"
)

// TestRemove is a table of responses to DELETE and their results. The request is sent once in each case.
//
// Covers: A6, A15
func TestRemove(t *testing.T) {
	t.Parallel()
	reply := func(line string, fields ...string) string {
		return "HTTP/1.1 " + line + "\r\n" + strings.Join(append(fields, ""), "\r\n") + "Connection: close\r\nContent-Length: 6\r\n\r\nanswer"
	}
	for _, tt := range []struct {
		name, reply string
		code        scheme.Code
		want        string // expected in the error or note
	}{
		{name: "200", reply: reply("200 OK")},
		{name: "202", reply: reply("202 Accepted"), want: "later"},
		{name: "204", reply: "HTTP/1.1 204 No Content\r\n\r\n" + hangUp},
		{name: "303", reply: reply("303 See Other", "Location: /result")},
		{name: "301", reply: reply("301 Moved Permanently", "Location: /x/"), code: scheme.CodeUnsupported, want: "/x/"},
		{name: "307", reply: reply("307 Temporary Redirect", "Location: http://u:secret@other.example/"), code: scheme.CodeUnsupported, want: "http://u:****@other.example/"},
		{name: "302 to nowhere", reply: reply("302 Found"), code: scheme.CodeProtocol},
		{name: "403", reply: reply("403 Forbidden"), code: scheme.CodeLoginNeeded},
		{name: "404", reply: reply("404 Not Found"), code: scheme.CodeNotFound},
		{name: "405", reply: reply("405 Method Not Allowed"), code: scheme.CodeUnsupported},
		{name: "409", reply: reply("409 Conflict"), code: scheme.CodeUnsupported, want: "conflicts"},
		{name: "503", reply: reply("503 Service Unavailable"), code: scheme.CodeUnavailable},
		{name: "nothing", reply: hangUp, code: scheme.CodeInDoubt, want: "may have removed"},
		{name: "half a head", reply: "HTTP/1.1 200 OK\r\nContent-" + hangUp, code: scheme.CodeInDoubt, want: "may have removed"},
		{name: "nonsense", reply: "what?\r\n" + hangUp, code: scheme.CodeProtocol, want: "what?"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newScript(t, ok("first"), tt.reply, ok("not this"))
			var notes []string
			c := web(t, func(o *client.Options) {
				o.Trace = &scheme.Trace{Note: func(text string) { notes = append(notes, text) }}
			})
			r := scheme.Request{URL: parse(t, "http://"+s.addr+"/a%2Fb?c")}
			if _, _, err := get(t, c, r); err != nil { // leaves a connection in the pool
				t.Fatal(err)
			}
			err := c.Remove(t.Context(), r)
			said := strings.Join(notes, " ")
			if tt.code != scheme.CodeOK {
				wantCode(t, err, tt.code)
				said = err.Error()
			} else if err != nil {
				t.Error(err)
			}
			if !strings.Contains(said, tt.want) || strings.Contains(said, "secret") {
				t.Errorf("it says %q, want %q", said, tt.want)
			}
			want := "DELETE /a%2Fb?c HTTP/1.1\r\nHost: " + s.addr + "\r\nUser-Agent: locator-test\r\nAccept-Encoding: gzip\r\n\r\n"
			if got := s.requests(); len(got) != 2 || got[1] != want || s.connections() != 1 {
				t.Errorf("sent %q over %d connections, want %q once, over the first", got, s.connections(), want)
			}
		})
	}
}

// If the server requires a login, it is sent with the second request.
//
// Covers: A15, P3
func TestRemoveWithLogin(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := web(t, func(o *client.Options) { o.Logins = []scheme.LoginFunc{client.FixedLogin("alice", "s3cret-pw")} })
	if err := c.Remove(t.Context(), scheme.Request{URL: s.URL("login", "text.txt")}); err != nil {
		t.Fatal(err)
	}
	if _, there := s.File("text.txt"); there || len(s.Lines()) != 2 {
		t.Errorf("the file is there: %v; sent %q", there, s.Lines())
	}
	wantCode(t, c.Remove(t.Context(), scheme.Request{URL: s.URL("login", "text.txt")}), scheme.CodeNotFound)
}
