package text

import (
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
)

// lines reads all lines of a text.
func lines(r io.Reader, max int) (all [][]string, err error) {
	s := NewScanner(r, max)
	for {
		line, err := s.Line()
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return append(all, line), err
		}
		all = append(all, line)
	}
}

// Covers: A13, PR12, PR13
func TestLine(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text string
		want [][]string
	}{
		{"", nil},
		{"\n\n \n", nil},
		{"VERSION-NOT-SUPPORTED TRY 1-5", [][]string{{"VERSION-NOT-SUPPORTED", "TRY", "1-5"}}},
		{"LINK  L FILE it'''s here.txt' x\nNONE-FOUND\n", [][]string{{"LINK", "L", "FILE", "it's here.txt", "x"}, {"NONE-FOUND"}}},
		{"a '' b\n", [][]string{{"a", "", "b"}}},
		{"''\n", [][]string{{""}}},
		{"DATA new'\nline.txt' AFTP'/odd/new\nline.txt'\n", [][]string{{"DATA", "new\nline.txt", "AFTP/odd/new\nline.txt"}}},
		{"  a\tb\v\fc \rd\n", [][]string{{"a", "b", "c"}, {"d"}}},
		{"caf\xe9 \x00\x01\n", [][]string{{"caf\xe9", "\x00\x01"}}},
		{"''''\n", [][]string{{"'"}}},
		{"'''x'''\n", [][]string{{"'x'"}}},
		{"x '' \n", [][]string{{"x", ""}}},
	} {
		for name, r := range map[string]io.Reader{"whole": strings.NewReader(tt.text), "byte by byte": iotest.OneByteReader(strings.NewReader(tt.text))} {
			got, err := lines(r, 100)
			if err != nil || !reflect.DeepEqual(got, tt.want) {
				t.Errorf("%s: %q: %q, %v; want %q", name, tt.text, got, err, tt.want)
			}
		}
	}
}

// Covers: A13, PR15
func TestBadText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]error{
		"LINK 'AFTP\n":                    ErrUnclosed,
		"'":                               ErrUnclosed,
		strings.Repeat("x", 101):          ErrTooLong,
		strings.Repeat("x ", 101):         ErrTooLong,
		"'" + strings.Repeat("\n", 101):   ErrTooLong,
		"a\n" + strings.Repeat("x ", 101): ErrTooLong,
	} {
		if _, err := lines(strings.NewReader(text), 100); !errors.Is(err, want) {
			t.Errorf("%.20q: %v, want %v", text, err, want)
		}
	}
	broken := errors.New("broken")
	got, err := lines(io.MultiReader(strings.NewReader("a b\nc d"), iotest.ErrReader(broken)), 100)
	if err != broken || len(got) != 2 || len(got[1]) != 1 {
		t.Errorf("a broken text: %q, %v", got, err)
	}
}

// Covers: A13
func TestValue(t *testing.T) {
	t.Parallel()
	file := "'' it's\n\n\x00 +,/ " + strings.Repeat("long ", 1000)
	for _, text := range []string{"DATA " + Quote(file) + "\nNEXT\n", "DATA " + Quote(file) + " \nNEXT", "DATA  " + Quote(file) + "\n\nNEXT\n"} {
		s := NewScanner(iotest.HalfReader(strings.NewReader(text)), 10)
		if tokens, more, err := s.Tokens(1); err != nil || !more || tokens[0] != "DATA" {
			t.Fatal(tokens, more, err)
		}
		if b, err := io.ReadAll(s.Value()); err != nil || string(b) != file {
			t.Errorf("%.20q: %q, %v", text, b, err)
		}
		if line, err := s.Line(); err != nil || len(line) > 1 || len(line) == 1 && line[0] != "NEXT" {
			t.Errorf("%.20q: next line %q, %v", text, line, err)
		}
	}
	s := NewScanner(strings.NewReader("DATA\nNEXT\n"), 10)
	if tokens, more, err := s.Tokens(2); err != nil || more || len(tokens) != 1 {
		t.Errorf("two tokens of a line with one: %q, %v, %v", tokens, more, err)
	}
	if b, err := io.ReadAll(NewScanner(strings.NewReader("'abc"), 10).Value()); string(b) != "abc" || err != ErrUnclosed {
		t.Errorf("an unclosed value: %q, %v", b, err)
	}
}

// What Quote and QuoteEnd write is one token.
func FuzzQuote(f *testing.F) {
	for _, s := range []string{"", "a", "it's", "'", "''", "\n", "a b", "x\x00", "+,/"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, token := range []string{Quote(s), QuoteEnd(s)} {
			got, err := lines(strings.NewReader("X "+token+" Y\n"), 1<<20)
			if err != nil || len(got) != 1 || !reflect.DeepEqual(got[0], []string{"X", s, "Y"}) {
				t.Errorf("%q is read as %q, %v", s, got, err)
			}
		}
	})
}

// A Scanner ends, whatever the text, and finds the same tokens whatever its pieces.
func FuzzScanner(f *testing.F) {
	for _, s := range []string{"", "a b\n", "'", "LINK  L FILE it'''s' x\n", "''\r\n", "\v\f' \n'\t"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, errA := lines(strings.NewReader(s), 1000)
		b, errB := lines(iotest.OneByteReader(strings.NewReader(s)), 1000)
		if !reflect.DeepEqual(a, b) || errA != errB {
			t.Errorf("%q: %q, %v; byte by byte %q, %v", s, a, errA, b, errB)
		}
	})
}

// Empty tokens count, too.
//
// Covers: P6, T105
func TestManyEmptyTokens(t *testing.T) {
	t.Parallel()
	if tokens, err := NewScanner(strings.NewReader(strings.Repeat("'' ", 10_000)), 100).Line(); err != ErrTooLong || len(tokens) > 100 {
		t.Errorf("%d tokens, %v", len(tokens), err)
	}
}
