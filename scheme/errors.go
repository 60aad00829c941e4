package scheme

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"
)

// Code is the class of an error, or success. It determines the exit status, the HTTP status and the
// verdict of a check.
type Code uint8

// The codes.
const (
	CodeOK          Code = iota
	CodeSeveral          // several URLs failed in different ways
	CodeUsage            // wrong usage, or missing input for a query or form
	CodeMalformed        // the URL violates its grammar
	CodeRefused          // refused by the policy
	CodeUnreachable      // host not found, connection refused or timed out
	CodeLoginNeeded      // login needed or refused
	CodeNotFound         // no such resource
	CodeGone             // permanently removed
	CodeBroken           // the transfer broke off, timed out or exceeded a limit
	CodeProtocol         // the server violated the protocol, or a redirect loop
	CodeUnsupported      // the scheme or its implementation does not support the operation
	CodeLocal            // local error: disk full, unreadable file, bad configuration
	CodeUnavailable      // the server is temporarily unavailable
	CodeInDoubt          // the request was sent, but no response came: it may have been carried out
	CodeUntrusted        // the certificate of the server is not trusted
	CodeInterrupted      // interrupted by the user
	CodeLoop             // redirects or referrals without end
	CodeLimited          // the server asks for fewer requests
	CodeWall             // the server refuses programs, whatever they ask for
	CodeChallenge        // the server sent a challenge for a browser or a person instead of the resource
)

// codes is the table of codes.
var codes = [...]struct {
	name         string
	exit         int
	http         int
	verdict, why string
	fs           error
}{
	CodeOK:          {"ok", 0, 200, "ok", "", nil},
	CodeSeveral:     {"several failures", 1, 502, "unsure", "server", nil},
	CodeUsage:       {"wrong usage", 2, 400, "skipped", "unsupported", fs.ErrInvalid},
	CodeMalformed:   {"malformed URL", 3, 400, "broken", "malformed", fs.ErrInvalid},
	CodeRefused:     {"refused by policy", 4, 403, "skipped", "excluded", fs.ErrPermission},
	CodeUnreachable: {"unreachable", 5, 504, "unsure", "unreachable", nil},
	CodeLoginNeeded: {"login needed or refused", 6, 401, "blocked", "login", fs.ErrPermission},
	CodeNotFound:    {"not found", 7, 404, "broken", "not found", fs.ErrNotExist},
	CodeGone:        {"gone", 7, 404, "broken", "gone", fs.ErrNotExist},
	CodeBroken:      {"broken off", 8, 504, "unsure", "server", nil},
	CodeProtocol:    {"protocol error", 9, 502, "unsure", "server", nil},
	CodeUnsupported: {"unsupported", 10, 501, "skipped", "unsupported", errors.ErrUnsupported},
	CodeLocal:       {"local trouble", 11, 500, "unsure", "local", nil},
	CodeUnavailable: {"unavailable now", 12, 503, "unsure", "server", nil},
	CodeInDoubt:     {"in doubt: sent, but no response", 13, 504, "unsure", "server", nil},
	CodeUntrusted:   {"certificate not trusted", 4, 502, "unsure", "certificate", nil},
	CodeInterrupted: {"interrupted", 130, 503, "unsure", "local", nil},
	CodeLoop:        {"loop of redirects", 9, 502, "broken", "loop", nil},
	CodeLimited:     {"too many requests", 12, 503, "blocked", "limit", nil},
	CodeWall:        {"programs refused", 6, 403, "blocked", "wall", fs.ErrPermission},
	CodeChallenge:   {"challenge instead of the resource", 6, 403, "blocked", "challenge", fs.ErrPermission},
}

func (c Code) row() int {
	if int(c) < len(codes) {
		return int(c)
	}
	return int(CodeProtocol)
}

// String returns the name of the code.
func (c Code) String() string { return codes[c.row()].name }

// Exit returns the exit status of the command line.
func (c Code) Exit() int { return codes[c.row()].exit }

// HTTP returns the status of an HTTP response for the error.
func (c Code) HTTP() int { return codes[c.row()].http }

// Verdict returns what a check says of a URL, and why, as far as the code tells; see package check.
func (c Code) Verdict() (verdict, why string) {
	row := codes[c.row()]
	return row.verdict, row.why
}

// Error is the error of an operation. Schemes set Code, Reply and Err; the client sets Op and URL.
//
// An Error matches the io/fs error of its code: errors.Is(err, fs.ErrNotExist) is true for
// CodeNotFound.
type Error struct {
	Op    Op
	URL   string // redacted
	Code  Code   // zero, which is CodeOK, means CodeProtocol: an error is never a success
	Reply string // the server's reply, escaped for a terminal; "" if there is none
	// Hint names the setting of the library that would allow what failed, such as "AllowPorts=25",
	// "Logins", "TLSMode=TLSRequire" or "Servers=news"; "" if there is none. A program may turn it
	// into advice in its own words. It is not part of the text.
	Hint string
	// RetryAfter is how long the server asks to wait; 0 means unknown. Final reports that a retry
	// cannot succeed.
	RetryAfter time.Duration
	Final      bool
	// Partial is what is known of the resource: where the operation failed (URL, Via, Addr,
	// Status), and the Receipt of a message. It has no Body. It may be nil. See also [Remover].
	Partial *Resource
	Err     error // cause; its text says what happened, and contains no password and no unescaped server text
}

// Error returns the operation, URL, cause and the server's reply.
func (e *Error) Error() string {
	s := string(e.Op)
	if e.URL != "" {
		if s != "" {
			s += " "
		}
		s += e.URL
	}
	if s != "" {
		s += ": "
	}
	if e.Err != nil {
		s += e.Err.Error()
	} else {
		s += cmp.Or(e.Code, CodeProtocol).String()
	}
	if e.Reply != "" {
		s += " (server: " + e.Reply + ")"
	}
	return s
}

// Public returns a text for the person who gave the URL, who need not be trusted: the operation,
// the URL as it was given, without its password, and the class of the error. It has no words of the
// cause or of a server, which may reveal addresses, names and paths of a network. It does not
// reveal whether a host is refused or does not answer.
func (e *Error) Public() string {
	code := cmp.Or(e.Code, CodeProtocol)
	what := code.String()
	switch code {
	case CodeRefused, CodeUnreachable:
		what = "not allowed, or unreachable"
	case CodeLocal:
		what = "internal error"
	}
	given := e.URL
	if e.Partial != nil && len(e.Partial.Via) > 0 { // a server led to another URL
		given = e.Partial.Via[0].From.Redacted()
	}
	return (&Error{Op: e.Op, URL: given, Err: errors.New(what)}).Error()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Timeout reports whether the cause is a timeout: a deadline of the context, or a limit of time. It
// makes the Timeout method of a url.Error around the Error say the same.
func (e *Error) Timeout() bool {
	t, ok := errors.AsType[interface {
		error
		Timeout() bool
	}](e.Err)
	return ok && t.Timeout()
}

// MarshalJSON writes the operation, the URL, the code's name, the text, the server's reply and the
// hint; op, url, reply and hint only if they are known.
func (e *Error) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Op    Op     `json:"op,omitempty"`
		URL   string `json:"url,omitempty"`
		Code  string `json:"code"`
		Error string `json:"error"`
		Reply string `json:"reply,omitempty"`
		Hint  string `json:"hint,omitempty"`
	}{e.Op, e.URL, cmp.Or(e.Code, CodeProtocol).String(), e.Error(), e.Reply, e.Hint})
}

// Is reports whether target is the io/fs error of the code.
func (e *Error) Is(target error) bool {
	t := codes[e.Code.row()].fs
	return t != nil && target == t
}

// Fail returns an Error of a code. format and args are those of fmt.Errorf. The Error has the Hint
// of an Error that it wraps.
func Fail(code Code, format string, args ...any) *Error {
	return Replied(code, "", format, args...)
}

// Replied returns an Error of a code with a server's reply, which must be escaped (wire.Escape).
func Replied(code Code, reply, format string, args ...any) *Error {
	e := &Error{Code: code, Reply: reply, Err: fmt.Errorf(format, args...)}
	if cause, ok := errors.AsType[*Error](e.Err); ok {
		e.Hint = cause.Hint
	}
	return e
}
