package jsontext_test

import (
	"testing"

	"locator/internal/jsontext"
)

func TestParse(t *testing.T) {
	for _, s := range []string{"", "a", "na\xefve", "\xff", "\xff\xfe\x80x\x80", `\udc80`, "\\\xff\\", "\"\xe4\"", "\u00e9\u202e\U000e0001\xf0\U0001f426", "\x00\x1b\x7f%zz"} {
		if got, err := jsontext.Parse(jsontext.AppendString(nil, s)); err != nil || got != s {
			t.Errorf("%q: %q, %v", s, got, err)
		}
	}
	for _, bad := range []string{"", "x", `"`, `"\udc80`, `\udc80"`, `"\"`, `1`, `"a""b"`, `"\udc80" "`} {
		if got, err := jsontext.Parse([]byte(bad)); err == nil {
			t.Errorf("%s: %q", bad, got)
		}
	}
}
