// Command find makes the texts of ../find.sh, and compares package find with other finders of URLs.
// README.md in the folder above describes it.
package main

import (
	"bufio"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"mvdan.cc/xurls/v2"

	"locator/find"
)

const usage = `usage: find text -every N [-newlines=false] [-log] SIZE    write a text of SIZE bytes with a URL per N bytes
       find tree -files N FOLDER SIZE               write a folder of N files with SIZE bytes together
       find expression                              print the expression for ripgrep
       find score [-corpus FOLDER] [-misses NAME]   score the finders with the labelled texts
       find xurls [-relaxed] [FILE]                 print what xurls finds, line by line
       find library FILE                            print what Finder.All finds
       find grow [SIZE]                             time hostile texts of four sizes up to SIZE (8M)
`

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "find:", err)
		os.Exit(1)
	}
}

// run runs one command.
func run(args []string, w io.Writer) error {
	if len(args) == 0 {
		return errors.New("no command\n" + usage)
	}
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	flags.Usage = func() { fmt.Fprint(os.Stderr, usage) }
	every := flags.Int("every", 2048, "bytes per URL")
	newlines := flags.Bool("newlines", true, "break lines")
	log := flags.Bool("log", false, "begin each line as in a log")
	files := flags.Int("files", 20_000, "number of files")
	folder := flags.String("corpus", "../find/testdata/corpus", "folder of labelled texts")
	misses := flags.String("misses", "", "list what this finder misses")
	relaxed := flags.Bool("relaxed", false, "with names without a scheme")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 64<<10)
	err := func() error {
		switch command, n := args[0], flags.NArg(); {
		case command == "text" && n == 1:
			return text(out, flags.Arg(0), *every, *newlines, *log)
		case command == "tree" && n == 2:
			return tree(flags.Arg(0), flags.Arg(1), *files)
		case command == "expression" && n == 0:
			_, err := fmt.Fprintln(out, expression)
			return err
		case command == "score" && n == 0:
			return score(out, *folder, *misses)
		case command == "xurls" && n <= 1:
			return lines(out, flags.Arg(0), *relaxed)
		case command == "library" && n == 1:
			return library(out, flags.Arg(0))
		case command == "grow" && n <= 1:
			return grow(out, cmp.Or(flags.Arg(0), "8M"))
		}
		return fmt.Errorf("%s: unknown command, or wrong arguments\n%s", strings.Join(args, " "), usage)
	}()
	return errors.Join(err, out.Flush())
}

// lines prints what xurls finds in each line of a file, as its command does.
func lines(w io.Writer, name string, relaxed bool) error {
	in := io.Reader(os.Stdin)
	if name != "" {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	re := xurls.Strict()
	if relaxed {
		re = xurls.Relaxed()
	}
	for r := bufio.NewReaderSize(in, 64<<10); ; {
		line, err := r.ReadBytes('\n')
		for _, m := range re.FindAll(line, -1) {
			fmt.Fprintf(w, "%s\n", m)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// library prints what Finder.All finds in a file that is read whole.
func library(w *bufio.Writer, name string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	for f := range new(find.Finder).All(string(data)) {
		w.WriteString(f.Text())
		w.WriteByte('\n')
	}
	return nil
}
