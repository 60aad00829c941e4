package http_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	nethttp "net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"locator/client"
	"locator/scheme"
)

// asked is a LoginFunc that records its calls.
type asked struct {
	mu     sync.Mutex
	list   []scheme.LoginRequest
	answer func(n int) (user, password string, ok bool, err error)
}

func (a *asked) source(_ context.Context, l scheme.LoginRequest) (string, string, bool, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.list = append(a.list, l)
	return a.answer(len(a.list) - 1)
}

const basic401 = "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Negotiate\r\n" +
	"WWW-Authenticate: Digest qop=\"auth\", realm=\"d\", Basic realm=\"the \\\"area\\\"\", charset=\"UTF-8\"\r\nContent-Length: 0\r\n\r\n"

// Covers: P3, A6, T61
func TestLogin(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		answers []string // user:password; "" is not known
		replies []string
		header  string
		sent    []string // the Authorization of each request
		code    scheme.Code
		want    string
	}{
		{"none known", nil, []string{basic401}, "", []string{""}, scheme.CodeLoginNeeded, "login required"},
		{"the first is right", []string{"a:b"}, []string{basic401, ok("in")}, "", []string{"", "Basic YTpi"}, scheme.CodeOK, ""},
		{"an empty password", []string{"a:"}, []string{basic401, ok("in")}, "", []string{"", "Basic YTo="}, scheme.CodeOK, ""},
		{"a colon in the password", []string{"a:b:c"}, []string{basic401, ok("in")}, "", []string{"", "Basic YTpiOmM="}, scheme.CodeOK, ""},
		{"the second is right", []string{"a:b", "c:d"}, []string{basic401, basic401, ok("in")}, "", []string{"", "Basic YTpi", "Basic Yzpk"}, scheme.CodeOK, ""},
		{"the same again", []string{"a:b", "a:b"}, []string{basic401, basic401}, "", []string{"", "Basic YTpi"}, scheme.CodeLoginNeeded, "refused"},
		{"one wrong", []string{"a:b", ""}, []string{basic401, basic401}, "", []string{"", "Basic YTpi"}, scheme.CodeLoginNeeded, "refused"},
		{"all wrong", []string{"a:1", "a:2", "a:3", "a:4"}, []string{basic401, basic401, basic401, basic401}, "",
			[]string{"", "Basic YTox", "Basic YToy", "Basic YToz"}, scheme.CodeLoginNeeded, "refused"},
		{"a header line", nil, []string{ok("in")}, "Authorization: Bearer x", []string{"Bearer x"}, scheme.CodeOK, ""},
		{"a header line that is refused", []string{"a:b"}, []string{basic401}, "Authorization: Bearer x", []string{"Bearer x"}, scheme.CodeLoginNeeded, "refused"},
		{"403 is not asked about", []string{"a:b"}, []string{"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"}, "", []string{""}, scheme.CodeLoginNeeded, "403"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newScript(t, tt.replies...)
			questions := &asked{answer: func(n int) (string, string, bool, error) {
				if n >= len(tt.answers) || tt.answers[n] == "" {
					return "", "", false, nil
				}
				user, password, _ := strings.Cut(tt.answers[n], ":")
				return user, password, true, nil
			}}
			c := web(t, func(o *client.Options) {
				o.Logins = []scheme.LoginFunc{questions.source}
				if tt.header != "" {
					o.Header = []string{tt.header}
				}
			})
			_, body, err := get(t, c, scheme.Request{URL: parse(t, "http://"+s.addr+"/x")})
			if tt.code == scheme.CodeOK && (err != nil || body != "in") {
				t.Errorf("%q, %v", body, err)
			}
			if tt.code != scheme.CodeOK {
				wantCode(t, err, tt.code)
				if !strings.Contains(err.Error(), tt.want) {
					t.Errorf("the error does not contain %q: %v", tt.want, err)
				}
			}
			var sent []string
			for _, head := range s.requests() {
				_, rest, _ := strings.Cut(head, "\r\nAuthorization: ")
				field, _, _ := strings.Cut(rest, "\r\n")
				sent = append(sent, field)
			}
			if fmt.Sprintf("%q", sent) != fmt.Sprintf("%q", tt.sent) {
				t.Errorf("sent %q, want %q", sent, tt.sent)
			}
			for i, l := range questions.list {
				if l.Attempt != i || l.Realm != `the "area"` || l.Host != "127.0.0.1" || l.Scheme != "http" || l.Secure || l.Port == 0 {
					t.Errorf("question %d: %+v", i, l)
				}
			}
		})
	}
}

// A colon in the user name is refused: it would be parsed as its end.
func TestLoginColon(t *testing.T) {
	t.Parallel()
	s := newScript(t, basic401)
	c := web(t, func(o *client.Options) {
		o.Logins = []scheme.LoginFunc{func(context.Context, scheme.LoginRequest) (string, string, bool, error) {
			return "a:b", "c", true, nil
		}}
	})
	_, _, err := get(t, c, scheme.Request{URL: parse(t, "http://"+s.addr+"/x")})
	wantCode(t, err, scheme.CodeLoginNeeded)
	if len(s.requests()) != 1 {
		t.Errorf("sent %q", s.requests())
	}
}

// digest401 is a 401 response with a Digest challenge.
func digest401(more string) string {
	return "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"b\"\r\nWWW-Authenticate: Digest realm=\"d\", qop=\"auth\"" + more + "\r\nContent-Length: 0\r\n\r\n"
}

// Digest is preferred to Basic. A stale nonce does not ask for another login. A refused login is
// not sent again.
//
// Covers: P3, A6, T61
func TestDigestLogin(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name      string
		answers   []string
		replies   []string
		questions int
		nonces    []string // of each request
		code      scheme.Code
	}{
		{"right", []string{"a:s3cret"}, []string{digest401(`, nonce="1"`), ok("in")}, 1, []string{"", "1"}, scheme.CodeOK},
		{"stale", []string{"a:s3cret"}, []string{digest401(`, nonce="1"`), digest401(`, nonce="2", stale=TRUE`), ok("in")}, 1, []string{"", "1", "2"}, scheme.CodeOK},
		{"always stale", []string{"a:s3cret"}, []string{digest401(`, nonce="1"`), digest401(`, nonce="2", stale=true`), digest401(`, nonce="3", stale=true`),
			digest401(`, nonce="4", stale=true`), digest401(`, nonce="5", stale=true`)}, 2, []string{"", "1", "2", "3", "4"}, scheme.CodeLoginNeeded},
		{"refused", []string{"a:s3cret", "a:s3cret"}, []string{digest401(`, nonce="1"`), digest401(`, nonce="2"`)}, 2, []string{"", "1"}, scheme.CodeLoginNeeded},
		{"the second is right", []string{"a:x", "a:s3cret"}, []string{digest401(`, nonce="1"`), digest401(`, nonce="2"`), ok("in")}, 2, []string{"", "1", "2"}, scheme.CodeOK},
		{"a control character", []string{"a\nb:s3cret"}, []string{digest401(`, nonce="1"`)}, 1, []string{""}, scheme.CodeLoginNeeded},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newScript(t, tt.replies...)
			questions := &asked{answer: func(n int) (string, string, bool, error) {
				if n >= len(tt.answers) {
					return "", "", false, nil
				}
				user, password, _ := strings.Cut(tt.answers[n], ":")
				return user, password, true, nil
			}}
			c := web(t, func(o *client.Options) { o.Logins = []scheme.LoginFunc{questions.source} })
			_, body, err := get(t, c, scheme.Request{URL: parse(t, "http://"+s.addr+"/x?y")})
			if tt.code == scheme.CodeOK && (err != nil || body != "in") {
				t.Errorf("%q, %v", body, err)
			} else if tt.code != scheme.CodeOK {
				wantCode(t, err, tt.code)
			}
			var nonces []string
			for _, head := range s.requests() {
				_, rest, _ := strings.Cut(head, "\r\nAuthorization: Digest ")
				_, rest, _ = strings.Cut(rest, `nonce="`)
				nonce, _, _ := strings.Cut(rest, `"`)
				nonces = append(nonces, nonce)
				if strings.Contains(head, "s3cret") || nonce != "" && !strings.Contains(head, `uri="/x?y"`) {
					t.Errorf("sent %q", head)
				}
			}
			if fmt.Sprint(nonces) != fmt.Sprint(tt.nonces) || len(questions.list) != tt.questions {
				t.Errorf("nonces %q, %d questions; want %q, %d", nonces, len(questions.list), tt.nonces, tt.questions)
			}
		})
	}
}

// Retry-After is reported; If-Range is sent with a range.
func TestRetryAfterAndIfRange(t *testing.T) {
	t.Parallel()
	s := newScript(t, "HTTP/1.1 503 Busy\r\nRetry-After: 17\r\nContent-Length: 0\r\n\r\n", ok("whole"))
	c := web(t)
	r := scheme.Request{URL: parse(t, "http://"+s.addr+"/x")}
	o := scheme.AccessOptions{Range: scheme.Range{Offset: 2}, If: scheme.Conditions{RangeTag: `"v1"`}}
	_, _, err := get(t, c, r, o)
	var e *scheme.Error
	if !errors.As(err, &e) || e.RetryAfter != 17*time.Second {
		t.Errorf("%v: %+v", err, e)
	}
	res, body, err := get(t, c, r, o)
	if err != nil || body != "whole" || !res.Range.IsZero() {
		t.Errorf("%q, %+v, %v", body, res, err)
	}
	for _, head := range s.requests() {
		if !strings.Contains(head, "\r\nIf-Range: \"v1\"\r\n") || !strings.Contains(head, "\r\nRange: bytes=2-\r\n") {
			t.Errorf("sent %q", head)
		}
	}
}

// A Digest login is sent for a request of the caller, too, with its method and body; the password
// is not.
//
// Covers: P3, A6
func TestTransportDigest(t *testing.T) {
	t.Parallel()
	s := newScript(t, digest401(`, nonce="1"`), ok("in"), digest401(`, nonce="2"`))
	web := &nethttp.Client{Transport: web(t, func(o *client.Options) { o.Logins = []scheme.LoginFunc{client.FixedLogin("alice", "s3cret")} }).Transport()}
	for i, want := range []string{"200 in", "401 "} {
		var text io.Reader = strings.NewReader("text")
		if i == 1 {
			text = io.MultiReader(text) // cannot be read again: the caller gets the 401
		}
		req, err := nethttp.NewRequestWithContext(t.Context(), "PATCH", "http://"+s.addr+"/x?y", text)
		if err != nil {
			t.Fatal(err)
		}
		req.ContentLength = 4
		resp, err := web.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if got := fmt.Sprint(resp.StatusCode, " ", string(body)); got != want || err != nil {
			t.Errorf("%d: %q, %v; want %q", i, got, err, want)
		}
	}
	heads := s.requests()
	if len(heads) != 3 || !strings.Contains(heads[1], `nonce="1", `) || !strings.Contains(heads[1], `uri="/x?y"`) || s.body[1] != "text" || strings.Contains(strings.Join(heads, ""), "s3cret") {
		t.Errorf("sent %q", heads)
	}
}
