package netrc

import (
	"reflect"
	"strings"
	"testing"
)

// Covers: A1
func TestParse(t *testing.T) {
	t.Parallel()
	text := "# logins\nmachine Host.Example login alice password s#cret # trailing\n" +
		"macdef init\n machine not.this login x\n\nmachine b login \"a b\" password \"q\\\"\\\\\" account acct\ndefault login anonymous password me@\n"
	got, err := Parse(text)
	want := []Machine{
		{Name: "host.example", Login: "alice", Password: "s#cret"},
		{Name: "b", Login: "a b", Password: `q"\`, Account: "acct"},
		{Default: true, Login: "anonymous", Password: "me@"},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
	if m, ok := Find(got, "HOST.example", "", false); !ok || m.Login != "alice" {
		t.Errorf("host: %+v", m)
	}
	if m, ok := Find(got, "host.example", "anonymous", true); !ok || !m.Default {
		t.Errorf("the default entry was returned for a named user: %+v", m)
	}
	if _, ok := Find(got, "host.example", "carol", true); ok {
		t.Error("no entry for an unknown user")
	}
	if _, ok := Find(nil, "h", "", false); ok {
		t.Error("an entry was found in an empty file")
	}
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"machine":                            "line 1: the file ends",
		"machine h\nlogin":                   "line 2: the file ends",
		"login a":                            "before the first machine",
		"machine h password two hunter2":     "line 1: unknown keyword",
		"machine h password \"hunter2":       "not closed",
		"machine h password \"hunter2\\":     "not closed",
		"machine h password \"hunter2\nx\" ": "not closed",
	} {
		_, err := Parse(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: the error contains the password", text)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("machine h login a password \"b\\n\"\nmacdef x\ny\n\ndefault login z")
	f.Fuzz(func(t *testing.T, text string) {
		machines, err := Parse(text)
		if err == nil {
			Find(machines, "h", "a", true)
		}
	})
}
