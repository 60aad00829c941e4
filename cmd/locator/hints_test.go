package main

import (
	"errors"
	"fmt"
	"testing"

	"locator/internal/hint"
	"locator/scheme"
)

// The advice follows the cause that it is for, before the words of the server.
func TestTextOf(t *testing.T) {
	t.Parallel()
	login := hint.Replied(hint.Login, scheme.CodeLoginNeeded, "530 no", "login required")
	login.Op, login.URL = "get", "ftp://h/"
	port := hint.Fail(hint.AllowPorts+"=25", scheme.CodeRefused, "port 25 is refused")
	other := scheme.Fail(scheme.CodeRefused, "no")
	other.Hint = "Other=1"
	for _, tt := range []struct {
		err  error
		want string
	}{
		{login, "get ftp://h/: login required; use --user or --netrc (server: 530 no)"},
		{fmt.Errorf("line 3: %w", login), "line 3: get ftp://h/: login required; use --user or --netrc (server: 530 no)"},
		{scheme.Fail(scheme.CodeLoginNeeded, "the mirror: %w", login), "the mirror: get ftp://h/: login required; use --user or --netrc (server: 530 no)"},
		{port, "port 25 is refused; to allow it, use --allow-port 25"},
		{&scheme.Error{Op: "get", URL: "gopher://h:25/", Code: scheme.CodeRefused, Err: port}, "get gopher://h:25/: port 25 is refused; to allow it, use --allow-port 25"},
		{&scheme.Error{Code: scheme.CodeLoginNeeded, Hint: hint.Login}, "login needed or refused; use --user or --netrc"},
		{other, "no"},
		{errors.New("no"), "no"},
	} {
		if got := textOf(tt.err); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
	for h := range hints {
		if advice(h) == "" || advice(h+"=1") == "" && (h == hint.AllowNets || h == hint.AllowPorts) {
			t.Errorf("no words for %q", h)
		}
	}
}
