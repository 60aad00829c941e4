package scheme

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"strings"
	"testing"
)

// The table of docs/cli.md is repeated here, since scripts depend on the numbers.
//
// Covers: A15
func TestCodeTable(t *testing.T) {
	t.Parallel()
	tests := []struct {
		code         Code
		name         string
		exit         int
		http         int
		verdict, why string
		is           error
	}{
		{CodeOK, "ok", 0, 200, "ok", "", nil},
		{CodeSeveral, "several failures", 1, 502, "unsure", "server", nil},
		{CodeUsage, "wrong usage", 2, 400, "skipped", "unsupported", fs.ErrInvalid},
		{CodeMalformed, "malformed URL", 3, 400, "broken", "malformed", fs.ErrInvalid},
		{CodeRefused, "refused by policy", 4, 403, "skipped", "excluded", fs.ErrPermission},
		{CodeUnreachable, "unreachable", 5, 504, "unsure", "unreachable", nil},
		{CodeLoginNeeded, "login needed or refused", 6, 401, "blocked", "login", fs.ErrPermission},
		{CodeNotFound, "not found", 7, 404, "broken", "not found", fs.ErrNotExist},
		{CodeGone, "gone", 7, 404, "broken", "gone", fs.ErrNotExist},
		{CodeBroken, "broken off", 8, 504, "unsure", "server", nil},
		{CodeProtocol, "protocol error", 9, 502, "unsure", "server", nil},
		{CodeUnsupported, "unsupported", 10, 501, "skipped", "unsupported", errors.ErrUnsupported},
		{CodeLocal, "local trouble", 11, 500, "unsure", "local", nil},
		{CodeUnavailable, "unavailable now", 12, 503, "unsure", "server", nil},
		{CodeUntrusted, "certificate not trusted", 4, 502, "unsure", "certificate", nil},
		{CodeInterrupted, "interrupted", 130, 503, "unsure", "local", nil},
		{CodeInDoubt, "in doubt: sent, but no response", 13, 504, "unsure", "server", nil},
		{CodeLoop, "loop of redirects", 9, 502, "broken", "loop", nil},
		{CodeLimited, "too many requests", 12, 503, "blocked", "limit", nil},
		{CodeWall, "programs refused", 6, 403, "blocked", "wall", fs.ErrPermission},
		{CodeChallenge, "challenge instead of the resource", 6, 403, "blocked", "challenge", fs.ErrPermission},
	}
	if len(tests) != len(codes) {
		t.Fatalf("this test has %d codes, the table %d", len(tests), len(codes))
	}
	all := []error{fs.ErrInvalid, fs.ErrPermission, fs.ErrExist, fs.ErrNotExist, fs.ErrClosed, errors.ErrUnsupported}
	for _, tt := range tests {
		if got := tt.code.String(); got != tt.name {
			t.Errorf("%d.String() = %q, want %q", tt.code, got, tt.name)
		}
		if got := tt.code.Exit(); got != tt.exit {
			t.Errorf("%v.Exit() = %d, want %d", tt.code, got, tt.exit)
		}
		if got := tt.code.HTTP(); got != tt.http {
			t.Errorf("%v.HTTP() = %d, want %d", tt.code, got, tt.http)
		}
		if got, why := tt.code.Verdict(); got != tt.verdict || why != tt.why {
			t.Errorf("%v.Verdict() = %q, %q, want %q, %q", tt.code, got, why, tt.verdict, tt.why)
		}
		err := fmt.Errorf("outside: %w", Fail(tt.code, "inside"))
		for _, target := range all {
			if got, want := errors.Is(err, target), target == tt.is; got != want {
				t.Errorf("errors.Is(code %v, %v) = %v, want %v", tt.code, target, got, want)
			}
		}
	}
}

// An unknown code must not look like success.
func TestCodeUnknown(t *testing.T) {
	t.Parallel()
	c := Code(200)
	if verdict, _ := c.Verdict(); c.Exit() == 0 || c.HTTP() == 200 || verdict == "ok" {
		t.Errorf("an unknown code: exit %d, HTTP %d, verdict %q; want a failure", c.Exit(), c.HTTP(), verdict)
	}
	if got, want := c.Exit(), CodeProtocol.Exit(); got != want {
		t.Errorf("an unknown code: exit %d, want that of Protocol, %d", got, want)
	}
}

func TestErrorText(t *testing.T) {
	t.Parallel()
	const u = "ftp://alice:****@host.dom/etc/motd"
	cause := errors.New("the server has no such file; check the name")
	tests := []struct {
		name string
		err  Error
		want string
	}{
		{"all parts", Error{Op: "access", URL: u, Code: CodeNotFound, Reply: "550 motd: no", Err: cause},
			"access " + u + ": the server has no such file; check the name (server: 550 motd: no)"},
		{"no reply", Error{Op: "access", URL: u, Code: CodeNotFound, Err: cause},
			"access " + u + ": the server has no such file; check the name"},
		{"no cause", Error{Op: "list", URL: u, Code: CodeGone}, "list " + u + ": gone"},
		{"no cause, reply", Error{Op: "list", URL: u, Code: CodeUnavailable, Reply: "421 full"}, "list " + u + ": unavailable now (server: 421 full)"},
		{"no URL", Error{Op: "update", Code: CodeUsage, Err: cause}, "update: the server has no such file; check the name"},
		{"no operation", Error{URL: u, Code: CodeNotFound}, u + ": not found"},
		{"as a scheme makes it", Error{Code: CodeBroken}, "broken off"},
		{"nothing", Error{}, "protocol error"},
	}
	for _, tt := range tests {
		if got := tt.err.Error(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestErrorUnwrap(t *testing.T) {
	t.Parallel()
	err := error(Fail(CodeBroken, "the body ended after %d octets: %w", 7, io.ErrUnexpectedEOF))
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%v does not match its cause", err)
	}
	if got, want := err.Error(), "the body ended after 7 octets: unexpected EOF"; got != want {
		t.Errorf("text %q, want %q", got, want)
	}
	both := Fail(CodeBroken, "%w, %w", context.Canceled, io.ErrUnexpectedEOF)
	if !errors.Is(both, context.Canceled) || !errors.Is(both, io.ErrUnexpectedEOF) {
		t.Errorf("%v matches one of two causes only", both)
	}
	var e *Error
	if !errors.As(fmt.Errorf("outside: %w", err), &e) || e.Code != CodeBroken {
		t.Errorf("errors.As finds %+v, want code Broken", e)
	}
	if (&Error{Code: CodeBroken}).Unwrap() != nil {
		t.Error("an error without a cause unwraps to something")
	}
}

func TestReplied(t *testing.T) {
	t.Parallel()
	e := Replied(CodeLoginNeeded, "530 no", "the server refused the login of %q", "alice")
	if e.Code != CodeLoginNeeded || e.Reply != "530 no" || e.Err == nil || e.Op != "" || e.URL != "" {
		t.Errorf("Replied made %+v; want code, reply and cause, and the rest left to the client", e)
	}
	if got, want := e.Error(), `the server refused the login of "alice" (server: 530 no)`; got != want {
		t.Errorf("text %q, want %q", got, want)
	}
}

// A timeout is one for callers of net/http, too; its url.Error asks the error that it holds.
//
// Covers: A13
func TestTimeout(t *testing.T) {
	t.Parallel()
	for _, cause := range []error{context.DeadlineExceeded, os.ErrDeadlineExceeded, fmt.Errorf("slow: %w", os.ErrDeadlineExceeded)} {
		if err := (&url.Error{Op: "Get", URL: "x", Err: &Error{Code: CodeBroken, Err: cause}}); !err.Timeout() {
			t.Errorf("%v is no timeout", err)
		}
	}
	for _, cause := range []error{nil, io.EOF, context.Canceled} {
		if err := (&Error{Code: CodeBroken, Err: cause}); err.Timeout() {
			t.Errorf("%v is a timeout", err)
		}
	}
}

// An Error that wraps another one has its hint.
func TestHintOfCause(t *testing.T) {
	t.Parallel()
	cause := Fail(CodeRefused, "port 25 is refused")
	cause.Hint = "AllowPorts=25"
	for _, e := range []*Error{Fail(CodeProtocol, "led to: %w", cause), Replied(CodeProtocol, "x", "led to: %w", fmt.Errorf("there: %w", cause))} {
		if e.Hint != cause.Hint || strings.Contains(e.Error(), e.Hint) {
			t.Errorf("%v: hint %q", e, e.Hint)
		}
	}
	if e := Fail(CodeProtocol, "it is %v", cause); e.Hint != "" {
		t.Errorf("an error that wraps nothing has the hint %q", e.Hint)
	}
}

// Covers: A15
func TestErrorJSON(t *testing.T) {
	t.Parallel()
	err := Replied(CodeNotFound, "550 no", "no such file")
	err.Op, err.URL, err.Partial = OpAccess, "ftp://h/x", &Resource{}
	b, fail := json.Marshal(err)
	if want := `{"op":"access","url":"ftp://h/x","code":"not found","error":"access ftp://h/x: no such file (server: 550 no)","reply":"550 no"}`; string(b) != want || fail != nil {
		t.Errorf("%s, %v; want %s", b, fail, want)
	}
	if b, fail := json.Marshal(&Error{Code: CodeRefused, Hint: "AllowPorts=25"}); string(b) != `{"code":"refused by policy","error":"refused by policy","hint":"AllowPorts=25"}` || fail != nil {
		t.Errorf("%s, %v", b, fail)
	}
	if b, fail := json.Marshal(&Error{Code: CodeBroken}); string(b) != `{"code":"broken off","error":"broken off"}` || fail != nil {
		t.Errorf("%s, %v", b, fail)
	}
}
