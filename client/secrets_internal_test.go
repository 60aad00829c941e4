package client

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"locator"
	"locator/scheme"
	"locator/scheme/form"
)

// Covers: P3
func TestSecretsInNotes(t *testing.T) {
	t.Parallel()
	const said = "the server refuses an empty CWD (501 not with Qsecret1)"
	f := fake{"ftp", func(_ context.Context, env *scheme.Env, _ scheme.Request) (*scheme.Resource, error) {
		env.Tell(said)
		res := text("")
		res.Notes = []string{said}
		res.Receipt = &scheme.Receipt{Reply: said, Refused: []scheme.Refusal{{Reply: said}}}
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
	shown = append(shown, res.Receipt.Reply, res.Receipt.Refused[0].Reply)
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

// Header lines that may hold a key are masked, as values and as words.
func TestHideHeader(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ line, text, want string }{
		{"Authorization: Bearer abcdefgh", "Bearer abcdefgh", "****"},
		{"Authorization: Bearer abcdefgh", "abcdefgh Bearer", "**** Bearer"},
		{"Cookie: id=abcdefgh; x=abcdefg", "id abcdefgh abcdefg", "id **** abcdefg"},
		{"Accept: abcdefgh", "abcdefgh", "abcdefgh"},
		{"Host: abcdefgh", "abcdefgh", "abcdefgh"},
	} {
		var lines, fields secrets
		lines.addHeader([]string{test.line})
		name, value, _ := strings.Cut(test.line, ": ")
		fields.addFields(http.Header{name: {value}})
		for _, s := range []*secrets{&lines, &fields} {
			if got := s.hide(test.text); got != test.want {
				t.Errorf("hide(%q) with %q: %q, want %q", test.text, test.line, got, test.want)
			}
		}
	}
}

// What is sent is shown without the passwords in the URL, and what is received without all that are
// known.
func TestHideTrace(t *testing.T) {
	t.Parallel()
	var shown []string
	line := func(text string) { shown = append(shown, text) }
	var s secrets
	s.add("abcd", "Qsecret1")
	x := s.trace(&scheme.Trace{Sent: line, Received: line, Note: line, Warning: line}, parse("ftp://u:Qsecret1@h/"))
	x.Sent("CWD Qsecret1 abcd")
	for _, f := range []func(string){x.Received, x.Note, x.Warning} {
		f("Qsecret1 abcd")
	}
	if want := []string{"CWD **** abcd", "**** ****", "**** ****", "**** ****"}; !slices.Equal(shown, want) {
		t.Errorf("%q, want %q", shown, want)
	}
}

func TestHideAnswers(t *testing.T) {
	t.Parallel()
	var s secrets
	s.addAnswers(nil, nil)
	s.addAnswers(&form.Form{Fields: []form.Field{{Name: "Password:", Kind: form.Secret}, {Name: "City"}}},
		[]form.Answer{{Name: "password", Value: "abcdefgh"}, {Name: "City", Value: "Oslo"}})
	if got := s.hide("abcdefgh Oslo"); got != "**** Oslo" {
		t.Errorf("%q", got)
	}
}
