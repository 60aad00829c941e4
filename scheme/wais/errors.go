package wais

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"locator/internal/z3950"
	"locator/scheme"
	"locator/scheme/internal/dialogue"
	"locator/wire"
)

// diagnostics is the table of the codes of Z39.50-1988 that a WAIS server may send: what each means
// for the caller. Any other is a protocol error.
var diagnostics = map[string]struct {
	code scheme.Code
	text string
}{
	"S1": {scheme.CodeUnsupported, "the server cannot carry out the request"},
	"S2": {scheme.CodeUnavailable, "the server has a temporary fault; try again later"},
	"S3": {scheme.CodeUnsupported, "the server does not support this search"},
	"S5": {scheme.CodeUsage, "the search has only words that the server ignores"},
	"S6": {scheme.CodeUsage, "the search has too many words"},
	"S7": {scheme.CodeUsage, "the search has too many operators"},
	"S8": {scheme.CodeUsage, "the search has too many truncated words"},
	"S9": {scheme.CodeUsage, "the search has too many incomplete fields"},
	"SA": {scheme.CodeUsage, "a truncated word of the search is too short"},
	"SC": {scheme.CodeUsage, "the search is too long"},
	"SF": {scheme.CodeNotFound, "the server has no such document"},
	"SG": {scheme.CodeUnavailable, "the server has a fault while it sends documents; try again later"},
	"SH": {scheme.CodeLoginNeeded, "the server must not send the document"},
	"SI": {scheme.CodeBroken, "the response is too long for the server"},
	"SJ": {scheme.CodeBroken, "the response is too long for the server"},
	"SP": {scheme.CodeUnsupported, "the server does not support this combination of databases"},
	"SV": {scheme.CodeUnavailable, "the database is locked; try again later"},
	"SY": {scheme.CodeUnavailable, "the server has no resources left; try again later"},
	"SZ": {scheme.CodeUnavailable, "the server has no resources left; try again later"},
	"T1": {scheme.CodeUnavailable, "the server has no resources left; try again later"},
	"T2": {scheme.CodeLoginNeeded, "the server does not allow access to this client"},
}

// outOfRange is the code for a range that ends beyond the document.
const outOfRange = "SF"

// permanent is the code for anything that the server cannot do. Its text says what
// (13-search-bad-database, 14-search-syntax-error, 70-field-unknown).
const permanent = "S1"

// What begins the texts of freeWAIS for a search.
const (
	syntaxError  = "query syntax error"
	unknownField = "field unexists"
)

// said returns the words of a diagnostic: bounded, and safe to print.
func said(d *z3950.Diagnostic) string {
	return wire.Excerpt(strings.TrimSpace(d.Code+" "+d.Text), 500)
}

// refused returns the error of a diagnostic.
func refused(d *z3950.Diagnostic) error {
	switch {
	case strings.HasPrefix(d.Text, syntaxError):
		return scheme.Replied(scheme.CodeUsage, said(d), "the server cannot parse the words of the search")
	case strings.HasPrefix(d.Text, unknownField):
		return scheme.Replied(scheme.CodeUsage, said(d), `the database has no such field; a word before "=", "<" or ">" is the name of one`)
	case d.Code == permanent && strings.Contains(strings.ToLower(d.Text), "database"):
		return scheme.Replied(scheme.CodeNotFound, said(d), "the server has no such database")
	}
	if known, ok := diagnostics[d.Code]; ok {
		return scheme.Replied(known.code, said(d), "%s", known.text)
	}
	return scheme.Replied(scheme.CodeProtocol, said(d), "the server reports an error of a code that is not known")
}

// errNoAnswer is the error for a packet without content, by which a server says that it cannot
// carry out a request.
var errNoAnswer = errors.New("the server answers with an empty packet")

// lost returns the error of a connection that failed after n bytes of a response, and before it a
// number of answers.
func lost(n int64, answers int, err error) error {
	var known *scheme.Error
	switch {
	case errors.As(err, &known):
		return err
	case errors.Is(err, z3950.ErrMalformed):
		return scheme.Fail(scheme.CodeProtocol, "%w", err)
	case errors.Is(err, z3950.ErrTooLong), errors.Is(err, wire.ErrLimit):
		return scheme.Fail(scheme.CodeBroken, "the response exceeds a limit: %w", err)
	}
	cause := io.ErrUnexpectedEOF
	if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		cause = fmt.Errorf("%w (%w)", io.ErrUnexpectedEOF, err)
	}
	switch {
	case dialogue.Timeout(err):
		return scheme.Fail(scheme.CodeBroken, "the server stalled after %d bytes of its response: nothing moved within the time limit: %w", n, cause)
	case n == 0 && answers > 0:
		return scheme.Fail(scheme.CodeBroken, "the server closed the connection: %w", cause)
	case n == 0:
		return scheme.Fail(scheme.CodeBroken, "the server closed the connection without a response, as freeWAIS does for a document of an unknown database: %w", cause)
	}
	return scheme.Fail(scheme.CodeBroken, "the server closed the connection after %d bytes of its response: %w", n, cause)
}
