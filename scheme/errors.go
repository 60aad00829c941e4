package scheme

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"
)

// Code is the class of an error, or success. It determines the exit status, the HTTP status and the verdict of a check.
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
)

// codes is the table of codes.
var codes = [...]struct {
	name    string
	exit    int
	http    int
	verdict string
	fs      error
}{
	CodeOK:          {"ok", 0, 200, "ok", nil},
	CodeSeveral:     {"several failures", 1, 502, "error", nil},
	CodeUsage:       {"wrong usage", 2, 400, "error", fs.ErrInvalid},
	CodeMalformed:   {"malformed URL", 3, 400, "malformed", fs.ErrInvalid},
	CodeRefused:     {"refused by policy", 4, 403, "refused", fs.ErrPermission},
	CodeUnreachable: {"unreachable", 5, 504, "unreachable", nil},
	CodeLoginNeeded: {"login needed or refused", 6, 401, "login", fs.ErrPermission},
	CodeNotFound:    {"not found", 7, 404, "not found", fs.ErrNotExist},
	CodeGone:        {"gone", 7, 404, "gone", fs.ErrNotExist},
	CodeBroken:      {"broken off", 8, 504, "error", nil},
	CodeProtocol:    {"protocol error", 9, 502, "error", nil},
	CodeUnsupported: {"unsupported", 10, 501, "unsupported", errors.ErrUnsupported},
	CodeLocal:       {"local trouble", 11, 500, "error", nil},
	CodeUnavailable: {"unavailable now", 12, 503, "error", nil},
	CodeInDoubt:     {"in doubt: sent, but no response", 13, 504, "error", nil},
	CodeUntrusted:   {"certificate not trusted", 4, 502, "refused", nil},
	CodeInterrupted: {"interrupted", 130, 503, "error", nil},
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

// Verdict returns the result of a check as a word.
func (c Code) Verdict() string { return codes[c.row()].verdict }

// Error is the error of an operation. Schemes set Code, Reply and Err; the client sets Op and URL.
//
// An Error matches the io/fs error of its code: errors.Is(err, fs.ErrNotExist) is true for CodeNotFound.
type Error struct {
	Op    Op
	URL   string // redacted
	Code  Code
	Reply string // the server's reply, escaped for a terminal; "" if there is none
	// RetryAfter is how long the server asks to wait; 0 is unknown. Final reports that a retry cannot succeed.
	RetryAfter time.Duration
	Final      bool
	// Partial is what is known of the resource: where the operation failed (URL, Via, Addr, Status), and the Receipt of a
	// message. It has no Body. It may be nil. See also [Remover].
	Partial *Resource
	Err     error // cause; its text says what happened and what to do, and contains no password and no unescaped server text
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
		s += e.Code.String()
	}
	if e.Reply != "" {
		s += " (server: " + e.Reply + ")"
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Timeout reports whether the cause is a timeout: a deadline of the context, or a limit of time. It makes the Timeout method of a
// url.Error around the Error tell the same.
func (e *Error) Timeout() bool {
	t, ok := errors.AsType[interface {
		error
		Timeout() bool
	}](e.Err)
	return ok && t.Timeout()
}

// MarshalJSON writes the operation, the URL, the code's name, the text and the server's reply; op, url and reply only if they are known.
func (e *Error) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Op    Op     `json:"op,omitempty"`
		URL   string `json:"url,omitempty"`
		Code  string `json:"code"`
		Error string `json:"error"`
		Reply string `json:"reply,omitempty"`
	}{e.Op, e.URL, e.Code.String(), e.Error(), e.Reply})
}

// Is reports whether target is the io/fs error of the code.
func (e *Error) Is(target error) bool {
	t := codes[e.Code.row()].fs
	return t != nil && target == t
}

// Fail returns an Error of a code. format and args are those of fmt.Errorf.
func Fail(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Err: fmt.Errorf(format, args...)}
}

// Replied returns an Error of a code with a server's reply, which must be escaped (wire.Escape).
func Replied(code Code, reply, format string, args ...any) *Error {
	return &Error{Code: code, Reply: reply, Err: fmt.Errorf(format, args...)}
}
