package http_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	nethttp "net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"locator/client"
	"locator/scheme"
	"locator/schemetest/peer"
)

func body(text string) scheme.Body {
	return scheme.Body{Reader: strings.NewReader(text), Size: scheme.Known(int64(len(text))), Type: "text/plain"}
}

// unseekable hides the Seek method of a reader.
type unseekable struct{ io.Reader }

// Covers: A6, A15
func TestPutOctets(t *testing.T) {
	t.Parallel()
	s := newScript(t, "HTTP/1.1 201 Created\r\nETag: \"new\"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
	res, err := web(t).Replace(t.Context(), scheme.Request{URL: parse(t, "http://"+s.addr+"/a%2Fb?c")}, body("new text"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Close()
	want := "PUT /a%2Fb?c HTTP/1.1\r\nHost: " + s.addr + "\r\nUser-Agent: locator-test\r\nContent-Length: 8\r\n" +
		"Content-Type: text/plain\r\nAccept-Encoding: gzip\r\n\r\n"
	if got := s.requests(); len(got) != 1 || got[0] != want || s.body[0] != "new text" {
		t.Errorf("sent %q %q\nwant %q", got, s.body, want)
	}
	if res.Attr.ETag != `"new"` || res.Kind != scheme.KindObject || res.Body == nil {
		t.Errorf("%+v", res)
	}
}

// TestSend is a table of responses to a body and their results.
//
// Covers: A15
func TestSend(t *testing.T) {
	t.Parallel()
	reply := func(line string, fields ...string) string {
		return "HTTP/1.1 " + line + "\r\n" + strings.Join(append(fields, ""), "\r\n") + "Connection: close\r\nContent-Length: 6\r\n\r\nanswer"
	}
	for _, tt := range []struct {
		name, reply  string
		put, post    scheme.Code
		url, want    string // URL after a POST; expected in the error or note
		answerOfPost bool
	}{
		{name: "200", reply: reply("200 OK"), answerOfPost: true},
		{name: "201", reply: reply("201 Created", "Location: /made"), url: "/made", answerOfPost: true},
		{name: "201 to nowhere", reply: reply("201 Created", "Location: http://[/"), answerOfPost: true},
		{name: "202", reply: reply("202 Accepted"), want: "later", answerOfPost: true},
		{name: "204", reply: "HTTP/1.1 204 No Content\r\n\r\n" + hangUp},
		{name: "303", reply: reply("303 See Other", "Location: /result"), url: "/result"},
		{name: "302", reply: reply("302 Found", "Location: /x"), put: scheme.CodeUnsupported, post: scheme.CodeUnsupported, want: "/x"},
		{name: "307", reply: reply("307 Temporary Redirect", "Location: /x"), put: scheme.CodeUnsupported, post: scheme.CodeUnsupported, want: "/x"},
		{name: "405", reply: reply("405 Method Not Allowed"), put: scheme.CodeUnsupported, post: scheme.CodeUnsupported, want: "405"},
		{name: "409", reply: reply("409 Conflict"), put: scheme.CodeUnsupported, post: scheme.CodeUnsupported, want: "conflicts"},
		{name: "413", reply: reply("413 Content Too Large"), put: scheme.CodeUnsupported, post: scheme.CodeUnsupported},
		{name: "501", reply: reply("501 Not Implemented"), put: scheme.CodeUnavailable, post: scheme.CodeUnavailable},
		{name: "507", reply: reply("507 Insufficient Storage"), put: scheme.CodeUnavailable, post: scheme.CodeUnavailable, want: "failed to carry out"},
		{name: "nothing", reply: hangUp, put: scheme.CodeInDoubt, post: scheme.CodeInDoubt, want: "may have accepted it"},
		{name: "half a head", reply: "HTTP/1.1 200 OK\r\nContent-" + hangUp, put: scheme.CodeInDoubt, post: scheme.CodeInDoubt, want: "may have accepted it"},
		{name: "nonsense", reply: "what?\r\n" + hangUp, put: scheme.CodeProtocol, post: scheme.CodeProtocol, want: "what?"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newScript(t, tt.reply, tt.reply)
			r := scheme.Request{URL: parse(t, "http://"+s.addr+"/a")}
			for method, want := range map[string]scheme.Code{"PUT": tt.put, "POST": tt.post} {
				c := web(t) // another request must not meet a connection that is about to close
				do := c.Replace
				if method == "POST" {
					do = c.Update
				}
				res, err := do(t.Context(), r, body("new text"), nil)
				if want != scheme.CodeOK {
					wantCode(t, err, want)
					if !strings.Contains(err.Error(), tt.want) {
						t.Errorf("%s: the error does not contain %q: %v", method, tt.want, err)
					}
					continue
				}
				if err != nil {
					t.Errorf("%s: %v", method, err)
					continue
				}
				answer, err := io.ReadAll(res.Body)
				res.Close()
				if err != nil || (string(answer) == "answer") != (method == "POST" && tt.answerOfPost) {
					t.Errorf("%s: the answer is %q, %v", method, answer, err)
				}
				if tt.url != "" && method == "POST" && res.URL.Text() != "http://"+s.addr+tt.url {
					t.Errorf("it is at %s, want %s", res.URL, tt.url)
				}
				if !strings.Contains(strings.Join(res.Notes, " "), tt.want) {
					t.Errorf("notes %q, want %q", res.Notes, tt.want)
				}
			}
			if n := len(s.requests()); n != 2 {
				t.Errorf("%d requests", n)
			}
		})
	}
}

// A server that requires a login refuses the request before it reads the body; the body is sent
// once.
//
// Covers: A15, P3
func TestPutWithLogin(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		b    scheme.Body
	}{
		{"of known size", body("new text")},
		{"of unknown size, read once", scheme.Body{Reader: unseekable{strings.NewReader("new text")}}},
		{"empty", scheme.Body{Reader: strings.NewReader(""), Size: scheme.Known(0)}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := start(t)
			c := web(t, func(o *client.Options) { o.Logins = []scheme.LoginFunc{client.FixedLogin("alice", "s3cret-pw")} })
			res, err := c.Replace(t.Context(), scheme.Request{URL: s.URL("login", "new.txt")}, tt.b, nil)
			if err != nil {
				t.Fatal(err)
			}
			res.Close()
			want := "new text"
			if tt.b.Size == scheme.Known(0) {
				want = ""
			}
			if got, ok := s.File("new.txt"); !ok || string(got) != want {
				t.Errorf("the server has %q, %v", got, ok)
			}
			if got := s.Lines(); len(got) != 2 {
				t.Errorf("sent %q", got)
			}
		})
	}
}

// If the server reads the body before it requires a login, the body is sent again from the start,
// provided it is small or a Seeker.
//
// Covers: A15
func TestPutAgain(t *testing.T) {
	t.Parallel()
	refuse := "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n"
	take := "HTTP/1.1 204 No Content\r\n\r\n"
	withLogin := func(o *client.Options) { o.Logins = []scheme.LoginFunc{client.FixedLogin("alice", "s3cret-pw")} }

	s := newScript(t, refuse, take)
	r := strings.NewReader("not this: new text")
	if _, err := r.Seek(10, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	u := parse(t, "http://"+s.addr+"/x")
	res, err := web(t, withLogin).Replace(t.Context(), scheme.Request{URL: u}, scheme.Body{Reader: r, Size: scheme.Known(8)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	res.Close()
	if len(s.body) != 2 || s.body[0] != "new text" || s.body[1] != "new text" {
		t.Errorf("sent %q", s.body)
	}

	s = newScript(t, refuse, take)
	u = parse(t, "http://"+s.addr+"/x")
	_, err = web(t, withLogin).Replace(t.Context(), scheme.Request{URL: u}, scheme.Body{Reader: unseekable{strings.NewReader(strings.Repeat("x", 1<<20))}, Size: scheme.Known(1 << 20)}, nil)
	wantCode(t, err, scheme.CodeLoginNeeded)
	if !strings.Contains(err.Error(), "from a file") || len(s.requests()) != 1 {
		t.Errorf("%v; sent %q", err, s.requests())
	}
}

// Covers: A15
func TestPutBadSource(t *testing.T) {
	t.Parallel()
	bad := errors.New("the disk is gone")
	for _, tt := range []struct {
		name string
		b    scheme.Body
		want string
	}{
		{"too short", scheme.Body{Reader: strings.NewReader("abc"), Size: scheme.Known(5)}, "announced with 5 bytes and has 3"},
		{"too long", scheme.Body{Reader: strings.NewReader("abcdefg"), Size: scheme.Known(5)}, "announced with 5 bytes"},
		{"fails", scheme.Body{Reader: io.MultiReader(strings.NewReader("abc"), &brokenReader{bad})}, "the disk is gone"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := start(t)
			_, err := web(t).Replace(t.Context(), scheme.Request{URL: s.URL("text.txt")}, tt.b, nil)
			wantCode(t, err, scheme.CodeLocal)
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("the error does not contain %q: %v", tt.want, err)
			}
			if tt.name == "fails" && !errors.Is(err, bad) {
				t.Errorf("the cause is lost: %v", err)
			}
		})
	}
}

type brokenReader struct{ err error }

func (r *brokenReader) Read([]byte) (int, error) { return 0, r.err }

// A blocked source delays neither a cancelled request nor one whose connection was lost.
//
// Covers: P6
func TestPutFromSilence(t *testing.T) {
	t.Parallel()
	t.Run("cancelled", func(t *testing.T) {
		t.Parallel()
		s := start(t)
		silence, end := io.Pipe()
		defer end.Close()
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			_, err := web(t).Replace(ctx, scheme.Request{URL: s.URL("text.txt")}, scheme.Body{Reader: silence}, nil)
			done <- err
		}()
		end.Write([]byte("a beginning")) // returns when it has been read
		cancel()
		wantCode(t, <-done, scheme.CodeInterrupted)
	})
	t.Run("connection lost", func(t *testing.T) {
		t.Parallel()
		s := start(t)
		silence, end := io.Pipe()
		defer end.Close()
		done := make(chan error, 1)
		go func() {
			_, err := web(t).Replace(t.Context(), scheme.Request{URL: s.URL("text.txt")}, scheme.Body{Reader: silence}, nil)
			done <- err
		}()
		end.Write([]byte("a beginning"))
		s.Close()
		wantCode(t, <-done, scheme.CodeBroken)
	})
}

// An upload may take longer than the idle timeout if it makes progress.
//
// Covers: P6
func TestSlowUpload(t *testing.T) {
	t.Parallel()
	s := start(t)
	const idle = 2 * time.Second
	c := web(t, func(o *client.Options) { o.Limits.Idle = idle })
	slow := &slowReader{left: 5, pause: idle * 3 / 10}
	res, err := c.Replace(t.Context(), scheme.Request{URL: s.URL("slow.bin")}, scheme.Body{Reader: slow, Size: scheme.Known(5 * 64 << 10)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	res.Close()
	if got, _ := s.File("slow.bin"); len(got) != 5*64<<10 {
		t.Errorf("the server has %d bytes", len(got))
	}
}

type slowReader struct {
	left  int
	pause time.Duration
}

func (r *slowReader) Read(p []byte) (int, error) {
	if r.left == 0 {
		return 0, io.EOF
	}
	r.left--
	time.Sleep(r.pause)
	return copy(p, bytes.Repeat([]byte{'x'}, 64<<10)), nil
}

// A body of unknown size is sent in chunks, whole.
//
// Covers: A15
func TestPutUnknownSize(t *testing.T) {
	t.Parallel()
	s := start(t)
	content := strings.Repeat("as much as it is\n", 10_000)
	var sent []string
	c := web(t, func(o *client.Options) {
		o.Trace = &scheme.Trace{Sent: func(line string) { sent = append(sent, line) }}
	})
	res, err := c.Replace(t.Context(), scheme.Request{URL: s.URL("new.txt")}, scheme.Body{Reader: unseekable{strings.NewReader(content)}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	res.Close()
	if got, _ := s.File("new.txt"); string(got) != content {
		t.Errorf("the server has %d bytes, want %d", len(got), len(content))
	}
	if !slices.Contains(sent, "Transfer-Encoding: chunked") {
		t.Errorf("sent %q", sent)
	}
}

// A server never takes the beginning of a body for the whole: the last byte waits for the end of
// the source and for Commit.
//
// Covers: A15, T63
func TestPutLastByte(t *testing.T) {
	t.Parallel()
	veto := errors.New("not after all")
	const long = 1<<20 + 40_000 // its last piece is more than net/http holds back
	for name, b := range map[string]scheme.Body{
		"too long":                 {Reader: unseekable{strings.NewReader(strings.Repeat("x", long+1))}, Size: scheme.Known(long)},
		"vetoed":                   {Reader: unseekable{strings.NewReader(strings.Repeat("x", long))}, Size: scheme.Known(long), Commit: func() error { return veto }},
		"vetoed, of unknown size":  {Reader: unseekable{strings.NewReader("12345")}, Commit: func() error { return veto }},
		"vetoed, empty":            {Reader: strings.NewReader(""), Size: scheme.Known(0), Commit: func() error { return veto }},
		"byte by byte, too long":   {Reader: iotest.OneByteReader(strings.NewReader("123456")), Size: scheme.Known(5)},
		"end with the data, veto":  {Reader: iotest.DataErrReader(strings.NewReader("12345")), Size: scheme.Known(5), Commit: func() error { return veto }},
		"end with data, too short": {Reader: iotest.DataErrReader(strings.NewReader("1234")), Size: scheme.Known(5)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t)
			res, err := web(t).Replace(t.Context(), scheme.Request{URL: s.URL("new.txt")}, b, nil)
			if err == nil {
				res.Close()
				t.Error("it succeeds")
			}
			if strings.HasPrefix(name, "vetoed") && !errors.Is(err, veto) {
				t.Errorf("%v", err)
			}
			if got, ok := s.File("new.txt"); ok {
				t.Errorf("the server has stored %q", got)
			}
		})
	}
}

// The same on the wire, where the source has all the bytes and fails then: the server never gets
// the last one.
//
// Covers: A15
func TestPutWholeButFailing(t *testing.T) {
	t.Parallel()
	const long = 1<<20 + 40_000
	for name, then := range map[string]io.Reader{"too long": strings.NewReader("x"), "fails": &brokenReader{errors.New("the disk is gone")}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := peer.ListenFor(t)
			got := make(chan int64, 1)
			h.Serve(func(c net.Conn) {
				req, err := nethttp.ReadRequest(bufio.NewReader(c))
				if err != nil {
					return
				}
				io.WriteString(c, "HTTP/1.1 100 Continue\r\n\r\n")
				n, _ := io.Copy(io.Discard, req.Body) // until the client closes the connection
				got <- n
			})
			b := scheme.Body{Reader: io.MultiReader(strings.NewReader(strings.Repeat("x", long)), then), Size: scheme.Known(long)}
			_, err := web(t).Replace(t.Context(), scheme.Request{URL: parse(t, "http://"+h.Addr()+"/new.txt")}, b, nil)
			wantCode(t, err, scheme.CodeLocal)
			if n := <-got; n >= long {
				t.Errorf("the server got all %d bytes", n)
			}
		})
	}
}

// TestRemove is a table of responses to DELETE and their results. The request is sent once in each
// case.
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

// A Commit that fails stops the body for good: also where the server asks for a login meanwhile.
//
// Covers: A15
func TestCommitRefusedThenLogin(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var stored atomic.Value
	stored.Store("")
	asked := make(chan struct{})
	go func() {
		for n := 0; ; n++ {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				r := bufio.NewReader(c)
				req, err := nethttp.ReadRequest(r)
				if err != nil {
					return
				}
				io.WriteString(c, "HTTP/1.1 100 Continue\r\n\r\n")
				if n == 0 {
					io.CopyN(io.Discard, req.Body, 7)
					<-asked
					io.WriteString(c, "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n")
					time.Sleep(2 * time.Second)
					return
				}
				b, err := io.ReadAll(req.Body)
				if err != nil { // a body that is cut off is not stored
					return
				}
				if req.Header.Get("Authorization") != "" {
					stored.Store(string(b))
				}
				io.WriteString(c, "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")
			}()
		}
	}()
	c := web(t, func(o *client.Options) { o.Logins = []scheme.LoginFunc{client.FixedLogin("u", "p")} })
	b := body("new text")
	b.Commit = func() error { close(asked); time.Sleep(50 * time.Millisecond); return errors.New("vetoed") }
	res, err := c.Replace(t.Context(), scheme.Request{URL: parse(t, "http://"+l.Addr().String()+"/a")}, b, nil)
	if err == nil {
		res.Close()
	}
	if err == nil || stored.Load() != "" {
		t.Errorf("stored %q, %v", stored.Load(), err)
	}
}
