// Package urllist reads lists of URLs, one per line.
package urllist

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"locator/explain"
	"locator/internal/ctxio"
	"locator/scheme"
)

// Origin says where a URL is in a list. It is zero for an argument.
type Origin struct {
	File string // "" means standard input
	Line int    // from 1
}

// Of adds the origin of a URL to its error.
func (o Origin) Of(err error) error {
	switch {
	case err == nil || o.Line == 0:
		return err
	case o.File == "":
		return fmt.Errorf("line %d: %w", o.Line, err)
	}
	return fmt.Errorf("%s:%d: %w", o.File, o.Line, err)
}

// Source is where a list is read from.
type Source struct {
	In   io.Reader
	Name string // "" means standard input
	// Marked reports whether blank lines, comments and what follows a tab are left out. Otherwise
	// only empty lines are.
	Marked bool
}

// String returns the name of the source for messages.
func (s Source) String() string {
	if s.Name == "" {
		return "standard input"
	}
	return s.Name
}

// Each calls do for each URL until that returns an error, and reports whether there was one. It
// drops a trailing CR. before is called before each read; it may be nil.
func (s Source) Each(ctx context.Context, before func(), do func(text string, at Origin) error) (found bool, err error) {
	in := bufio.NewReaderSize(ctxio.NewReader(ctx, s.In, before), 64<<10)
	for n := 1; ; n++ {
		line, err := readLine(in)
		if ctx.Err() != nil {
			return found, ctx.Err()
		}
		if err != nil && err != io.EOF { // line may be cut
			return found, scheme.Fail(scheme.CodeLocal, "%v: %w", s, err)
		}
		if s.Marked && (len(line) <= explain.MaxLength || listed(line) == "") {
			line = listed(line)
		}
		if line != "" {
			found = true
			if err := do(line, Origin{s.Name, n}); err != nil {
				return found, err
			}
		}
		if err == io.EOF {
			return found, nil
		}
	}
}

// readLine reads a line, without its end: LF or CR LF. It returns only the first
// explain.MaxLength+1 bytes of a longer one, which explain.Read refuses. The last line comes with
// io.EOF.
func readLine(in *bufio.Reader) (string, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		if err == nil {
			part = part[:len(part)-1]
		}
		if err == nil && line == nil {
			line = part
		} else {
			line = append(line, part[:min(len(part), explain.MaxLength+1-len(line))]...)
		}
		if err != bufio.ErrBufferFull {
			return string(bytes.TrimSuffix(line, []byte{'\r'})), err
		}
	}
}

// listed returns the URL in a line of a list, "" if there is none. A title may follow the URL
// behind a tab.
func listed(line string) string {
	line = strings.TrimSpace(strings.TrimPrefix(line, "\ufeff"))
	if strings.HasPrefix(line, "#") {
		return ""
	}
	url, _, _ := strings.Cut(line, "\t")
	return strings.TrimSpace(url)
}
