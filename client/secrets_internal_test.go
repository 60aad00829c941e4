package client

import (
	"context"
	"strings"
	"testing"

	"locator"
	"locator/scheme"
)

// Covers: P3
func TestSecretsInNotes(t *testing.T) {
	t.Parallel()
	const said = "the server refuses an empty CWD (501 not with Qsecret1)"
	f := fake{"ftp", func(_ context.Context, env *scheme.Env, _ scheme.Request) (*scheme.Resource, error) {
		env.Tell(said)
		res := text("")
		res.Notes = []string{said}
		return res, nil
	}}
	var shown []string
	note := func(_ locator.URL, text string) { shown = append(shown, text) }
	c := New(Options{Registry: scheme.NewRegistry(f), Note: note})
	defer c.Close()
	res, err := c.Access(t.Context(), scheme.Request{URL: parse("ftp://u:Qsecret1@h/"), Note: note}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Close()
	if shown = append(shown, res.Notes...); len(shown) != 3 {
		t.Errorf("%d notes, want 3: %q", len(shown), shown)
	}
	for _, text := range shown {
		if text != strings.Replace(said, "Qsecret1", "****", 1) {
			t.Errorf("note %q, want the password masked", text)
		}
	}
}

func TestHide(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ user, password, text, want string }{
		{"u", "abcd", "abcd abc", "**** abc"},
		{"u", "abc", "abc", "abc"}, // so short a word may be anything
		{"u", "", "u: ****", "u: ****"},
		{"u", "abc", "dTphYmM= AHUAYWJj", "**** ****"}, // "u:abc" and "\0u\0abc" in base64
		{"u", "abcdefg", "abcdefg YWJjZGVmZw==", "**** ****"},
		{"u", "abcd\x1b", `abcd\x1b and abcd` + "\x1b", "**** and ****"},
	} {
		var s secrets
		s.add("abcde") // longer than the first, and masked before it
		s.addLogin(test.user, test.password)
		if got := s.hide(test.text); got != test.want {
			t.Errorf("hide(%q) with the password %q: %q, want %q", test.text, test.password, got, test.want)
		}
		if got := s.hide("abcde"); got != "****" {
			t.Errorf("hide(\"abcde\"): %q", got)
		}
	}
}
