package ftp

import (
	"errors"
	"testing"

	"locator/scheme"
	"locator/scheme/internal/dialogue"
)

// Covers: P6
func TestFailure(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]scheme.Code{
		"421 bye": scheme.CodeUnavailable, "425 no": scheme.CodeUnavailable, "450 busy": scheme.CodeUnavailable, "451 x": scheme.CodeUnavailable, "452 x": scheme.CodeUnavailable,
		"450 x: No such file or directory": scheme.CodeNotFound, "550 Failed to open file.": scheme.CodeNotFound, "550 x: Permission denied": scheme.CodeLoginNeeded,
		"550 Access is denied.": scheme.CodeLoginNeeded, "553 bad name": scheme.CodeNotFound, "553 Prohibited file name: a\\b": scheme.CodeUnsupported, "550 Filename not allowed": scheme.CodeUnsupported, "530 Please login": scheme.CodeLoginNeeded, "532 x": scheme.CodeLoginNeeded,
		"430 x": scheme.CodeLoginNeeded, "500 x": scheme.CodeUnsupported, "502 x": scheme.CodeUnsupported, "504 x": scheme.CodeUnsupported, "503 x": scheme.CodeProtocol,
		"552 full": scheme.CodeUnavailable, "534 x": scheme.CodeUnsupported, "599 x": scheme.CodeProtocol, "230 x": scheme.CodeProtocol, "331 x": scheme.CodeProtocol,
	} {
		code, _, ok := dialogue.ParseCode(line)
		r := newReply(code, line)
		if !ok || r.failure() != want {
			t.Errorf("%s: %v, want %v", line, r.failure(), want)
		}
	}
	for line, want := range map[string]scheme.Code{
		"550 Could not create file.": scheme.CodeLoginNeeded, "553 x": scheme.CodeLoginNeeded, "553 Prohibited file name: a": scheme.CodeUnsupported, "550 No such directory": scheme.CodeNotFound, "452 x": scheme.CodeUnavailable,
	} {
		code, _, _ := dialogue.ParseCode(line)
		var e *scheme.Error
		if err := newReply(code, line).failWrite("x"); !errors.As(err, &e) || e.Code != want {
			t.Errorf("writing, %s: %v, want %v", line, err, want)
		}
	}
}
