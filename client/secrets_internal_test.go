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
