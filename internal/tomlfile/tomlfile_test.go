package tomlfile

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestEach(t *testing.T) {
	t.Parallel()
	f, err := Read(strings.NewReader("a = 1\n[b]\nc = [\n  \"x\",\n]\n"), "x.toml")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	if err := f.Each(func(key []string, v any) error { got = append(got, fmt.Sprint(key, v)); return nil }); err != nil {
		t.Error(err)
	}
	if want := "[a] 1|[b] map[c:[x]]|[b c] [x]"; strings.Join(got, "|") != want {
		t.Errorf("%q", got)
	}
	bad := errors.New("bad")
	err = f.Each(func(key []string, _ any) error {
		if len(key) == 2 {
			return bad
		}
		return nil
	})
	if !errors.Is(err, bad) || err.Error() != "x.toml:5: bad" {
		t.Error(err)
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"a = \n", "a = 1\na = 2\n", strings.Repeat("#\n", maxSize)} {
		if _, err := Read(strings.NewReader(text), "x.toml"); err == nil || !strings.HasPrefix(err.Error(), "x.toml: ") {
			t.Errorf("%.20q: %v", text, err)
		}
	}
}
