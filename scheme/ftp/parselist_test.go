package ftp

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A listingCase is a line of testdata/listings.txt, or several that make one entry, and what they
// mean.
type listingCase struct {
	at          int // number of the first line
	lines, want []string
}

// A listingSection is a part of testdata/listings.txt that one parser reads.
type listingSection struct {
	name, system string
	cases        []listingCase
}

// readListings reads testdata/listings.txt. A section begins with "== ", its name, and perhaps ",
// SYST=" and a reply. Below lines of a listing stand their meanings, each after "=> ". Bytes are
// written as in Go.
func readListings(t testing.TB) (sections []listingSection) {
	t.Helper()
	text, err := os.ReadFile("testdata/listings.txt")
	if err != nil {
		t.Fatal(err)
	}
	var c listingCase
	end := func() {
		if len(c.lines) > 0 {
			s := &sections[len(sections)-1]
			s.cases = append(s.cases, c)
		}
		c = listingCase{}
	}
	for i, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		if name, ok := strings.CutPrefix(line, "== "); ok {
			end()
			name, system, _ := strings.Cut(name, ", SYST=")
			sections = append(sections, listingSection{name: name, system: strings.ToUpper(system)})
			continue
		}
		if want, ok := strings.CutPrefix(line, "=> "); ok {
			c.want = append(c.want, want)
			continue
		}
		if len(c.want) > 0 {
			end()
		}
		if len(c.lines) == 0 {
			c.at = i + 1
		}
		raw, err := strconv.Unquote(`"` + strings.ReplaceAll(line, `"`, `\"`) + `"`)
		if err != nil {
			t.Fatalf("line %d: %v", i+1, err)
		}
		c.lines = append(c.lines, raw)
	}
	end()
	return sections
}

// parser returns a new parser for the section.
func (s listingSection) parser() parser {
	if s.name == "MLSD" {
		return mlsdParser{}
	}
	return &listParser{now: now, system: s.system}
}

// TestListings reads lines of listings of every dialect: name, kind, size, time, and how exactly
// the time is known.
//
// Covers: A4
func TestListings(t *testing.T) {
	t.Parallel()
	lines := 0
	for _, s := range readListings(t) {
		t.Run(s.name, func(t *testing.T) {
			var got []string
			say := func(it item, v verdict) { got = append(got, said(it, v)) }
			j := joiner{parser: s.parser(), item: func(it item) error { say(it, understood); return nil },
				lost: func(string) { say(item{}, unknown) }}
			for n, c := range s.cases {
				for _, line := range c.lines {
					lines++
					if _, v := s.parser().parse(line); v == skipped {
						say(item{}, skipped)
					}
					if err := j.next(line); err != nil {
						t.Fatal(err)
					}
				}
				if n == len(s.cases)-1 {
					j.flush()
				}
				if !slices.Equal(got, c.want) {
					t.Errorf("listings.txt:%d: %q\n\tis   %s\n\twant %s", c.at, c.lines, strings.Join(got, " | "), strings.Join(c.want, " | "))
				}
				got = got[:0]
			}
		})
	}
	if lines < 250 {
		t.Errorf("%d lines", lines)
	}
}

// TestDialectsDiffer checks that no line is understood in two dialects, so that their order does
// not matter.
func TestDialectsDiffer(t *testing.T) {
	t.Parallel()
	for _, s := range readListings(t) {
		if s.name == "MLSD" || s.system != "" {
			continue
		}
		for _, c := range s.cases {
			for _, line := range c.lines {
				var in []string
				for _, d := range dialects {
					if d.system == "" && strings.TrimSpace(line) != "" {
						if _, v := d.parse(&listParser{now: now}, line); v != unknown {
							in = append(in, d.name)
						}
					}
				}
				if len(in) > 1 || len(in) == 1 && !strings.HasPrefix(s.name, in[0]) {
					t.Errorf("listings.txt:%d: %q is understood as %q", c.at, line, in)
				}
			}
		}
	}
}

// layouts show a time as exactly as it is known.
var layouts = map[time.Duration]string{
	24 * time.Hour: " 2006-01-02", time.Minute: " 2006-01-02T15:04", 0: " 2006-01-02T15:04:05",
}
