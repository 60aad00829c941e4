package scheme

import (
	"errors"
	"fmt"
	"io/fs"
	"time"
)

// Code is the class of an error, or of success. One table leads from it to the exit status, the HTTP status and the
// verdict of a check.
type Code uint8

// The codes.
const (
	CodeOK          Code = iota
	CodeSeveral          // several URLs failed in different ways
	CodeUsage            // wrong usage; a query or form without its input
	CodeMalformed        // the URL does not meet its grammar
	CodeRefused          // by policy
	CodeUnreachable      // host not found, or not reached in time
	CodeLoginNeeded      // login needed or refused
	CodeNotFound         // no such resource
	CodeGone             // it was there and is not coming back
	CodeBroken           // the transfer broke off, stalled, or passed a limit
	CodeProtocol         // the peer broke its protocol; a loop of redirects
	CodeUnsupported      // the scheme, or its client, cannot do that
	CodeLocal            // local trouble: disk full, unreadable file, bad configuration
	CodeUnavailable      // the peer says that it cannot now
	CodeInDoubt          // the request was sent and no answer came: it may have been carried out
	CodeInterrupted      // by the user
)

// codes is the one table. Columns: exit status, HTTP status, verdict, io/fs error.
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
	CodeInDoubt:     {"in doubt: sent, but no answer came", 13, 504, "error", nil},
	CodeInterrupted: {"interrupted", 130, 503, "error", nil},
}

func (c Code) row() int {
	if int(c) < len(codes) {
		return int(c)
	}
	return int(CodeProtocol)
}

// String names the code.
func (c Code) String() string { return codes[c.row()].name }

// Exit is the exit status of the command line.
func (c Code) Exit() int { return codes[c.row()].exit }

// HTTP is the status that the gateway answers with.
func (c Code) HTTP() int { return codes[c.row()].http }

// Verdict is the word of a check.
func (c Code) Verdict() string { return codes[c.row()].verdict }

// Error is what goes wrong with a resource. Schemes fill Code, Reply and Err; the client adds Op and URL, once.
//
// errors.Is finds io/fs errors by the code: errors.Is(err, fs.ErrNotExist) for NotFound.
type Error struct {
	Op    Op
	URL   string // redacted
	Code  Code
	Reply string // the server's own words, escaped for a terminal, "" where it said nothing
	// RetryAfter is how long the peer asks to wait, 0 where it does not say; Final says that another try cannot help.
	RetryAfter time.Duration
	Final      bool
	// Partial is what is known nevertheless: where the operation failed (URL, Via, Addr, Status) and what a server told of a
	// message (Receipt). It has no Body. It may be nil.
	Partial *Resource
	Err     error // cause; its text is ours, says what and what to do, and holds no password
}

// Error says what, where, why.
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
		s += " (peer: " + e.Reply + ")"
	}
	return s
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is makes errors.Is find the io/fs error of the code.
func (e *Error) Is(target error) bool {
	t := codes[e.Code.row()].fs
	return t != nil && target == t
}

// Fail makes an error of a code. The format takes %w.
func Fail(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Err: fmt.Errorf(format, args...)}
}

// Replied makes an error of a code from a peer's reply, escaped already (wire.Escape).
func Replied(code Code, reply, format string, args ...any) *Error {
	return &Error{Code: code, Reply: reply, Err: fmt.Errorf(format, args...)}
}
