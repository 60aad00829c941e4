package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"locator/explain"
	"locator/internal/ctxio"
	"locator/scheme"
)

// origin says where a URL stands in a list. It is zero for an argument.
type origin struct {
	file string // "" is standard input
	line int    // from 1
}

// of adds the origin of a URL to its error.
func (o origin) of(err error) error {
	switch {
	case err == nil || o.line == 0:
		return err
	case o.file == "":
		return fmt.Errorf("line %d: %w", o.line, err)
	}
	return fmt.Errorf("%s:%d: %w", o.file, o.line, err)
}

// listFlag registers the flag -i of the verbs that read lists of URLs.
func (a *app) listFlag(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&a.listFile, "input", "i", "", "also read URLs from this file: one per line; blank lines, # comments and what follows a tab are ignored")
}

// source is where lines are read from.
type source struct {
	in    io.Reader
	name  string // "" is standard input
	clean bool   // the format of -i
	// required reports whether no URL is wrong usage, unless standard input is a pipe or a file.
	required bool
}

// shown names the source in messages.
func (s source) shown() string {
	if s.name == "" {
		return "standard input"
	}
	return s.name
}

// urls calls do for each URL: the arguments, the lines of standard input for "-", and those of the list of -i; if there are
// neither, the lines of standard input. While do runs, a.at is the origin of the URL. It ends when do returns an error or the context
// ends. A list without a URL is reported; if nobody gave a list, that is wrong usage.
func (a *app) urls(ctx context.Context, args []string, do func(text string) error) error {
	none := len(args) == 0 && a.listFile == ""
	if none {
		args = []string{"-"}
	}
	for _, arg := range args {
		each := do
		if arg == "-" {
			each = func(string) error { return a.lines(ctx, source{in: a.In, required: none}, do) }
		}
		a.at = origin{}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := each(arg); err != nil {
			return err
		}
	}
	switch a.listFile {
	case "":
		return ctx.Err()
	case "-":
		return a.lines(ctx, source{in: a.In, clean: true}, do)
	}
	h, err := ctxio.OpenFile(ctx, a.listFile, os.O_RDONLY)
	if err != nil {
		return scheme.Fail(scheme.CodeLocal, "list of URLs: %w", err)
	}
	defer h.Close()
	return a.lines(ctx, source{in: h, name: a.listFile, clean: true}, do)
}

// lines calls do for each line. It drops a trailing CR and skips empty lines.
func (a *app) lines(ctx context.Context, from source, do func(text string) error) error {
	if from.name == "" {
		a.sayTyping("URLs, one per line,")
	}
	in := bufio.NewReaderSize(ctxio.NewReader(ctx, from.in, a.beforeInput), 64<<10)
	defer func() { a.at = origin{} }()
	found := false
	for n := 1; ; n++ {
		line, err := readURLLine(in)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil && err != io.EOF { // line may be cut
			return scheme.Fail(scheme.CodeLocal, "%s: %w", from.shown(), err)
		}
		if from.clean && (len(line) <= explain.MaxLength || listed(line) == "") {
			line = listed(line)
		}
		if line != "" {
			a.at, found = origin{from.name, n}, true
			if err := do(line); err != nil {
				return err
			}
		}
		switch {
		case err == io.EOF && found:
			return nil
		case err == io.EOF:
			return a.noURL(from)
		}
	}
}

// noURL reports a source without any URL.
func (a *app) noURL(from source) error {
	if f, ok := from.in.(*os.File); ok && from.required && !isPiped(f) {
		return errNoURL
	}
	preposition := "in"
	if from.name == "" {
		preposition = "on"
	}
	a.note("no URL %s %s", preposition, from.shown())
	return nil
}

// readURLLine reads a line, without its end: LF or CR LF. It returns only the first explain.MaxLength+1 bytes of a longer one, which
// explain.Read refuses. The last line comes with io.EOF.
func readURLLine(in *bufio.Reader) (string, error) {
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

// errNoURL is the error of a verb without any URL.
var errNoURL = scheme.Fail(scheme.CodeUsage, "no URL")

// listed returns the URL in a line of a list, "" if there is none. A title may follow the URL behind a tab.
func listed(line string) string {
	line = strings.TrimSpace(strings.TrimPrefix(line, "\ufeff"))
	if strings.HasPrefix(line, "#") {
		return ""
	}
	url, _, _ := strings.Cut(line, "\t")
	return strings.TrimSpace(url)
}
