package main

import (
	"context"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"locator/internal/console"
	"locator/internal/ctxio"
	"locator/internal/urllist"
	"locator/scheme"
)

// withVerb returns the arguments with the verb get before them if a URL or "-" stands where the
// verb should, or if nothing does and standard input may hold URLs.
func withVerb(root *cobra.Command, args []string, in io.Reader) []string {
	root.InitDefaultHelpCmd()
	cmd, _, _ := root.Find(args)
	if cmd != root || len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		return args
	}
	get, _, _ := (&app{}).root().Find([]string{"get"}) // a copy: the flags are parsed once more later
	words, fromInput := args, false
	if err := get.ParseFlags(args); err == nil {
		words = get.Flags().Args()
		words = words[:min(1, len(words))]
		fromInput = len(words) == 0 && isPiped(in) || slices.Contains(words, "-")
	}
	if !fromInput && !slices.ContainsFunc(words, likeURL) {
		return args
	}
	return append([]string{"get"}, args...)
}

// isPiped reports whether a stream is a pipe or a file, not a terminal or another device.
func isPiped(in io.Reader) bool {
	f, ok := in.(*os.File)
	if !ok {
		return false
	}
	s, err := f.Stat()
	return err == nil && (s.Mode().IsRegular() || s.Mode()&os.ModeNamedPipe != 0)
}

// likeURL reports whether an argument may be meant as a URL; no verb is.
func likeURL(arg string) bool {
	return !strings.HasPrefix(arg, "-") && strings.ContainsAny(arg, ":/.<")
}

// sayTyping says that standard input is awaited, if it is a terminal.
func (a *app) sayTyping(what string) {
	if !console.IsTerminal(a.In) || a.flags.Quiet {
		return
	}
	end := "Ctrl-D"
	if runtime.GOOS == "windows" {
		end = "Ctrl-Z and Enter"
	}
	a.Say("reading %s from the terminal; end with %s", what, end)
}

// listFlag registers the flag -i of the verbs that read lists of URLs.
func (a *app) listFlag(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&a.listFile, "input", "i", "", "also read URLs from this file: one per line; blank lines, # comments and what follows a tab are ignored")
}

// urls calls do for each URL: the arguments, the lines of standard input for "-", and those of the
// list of -i; if there are neither, the lines of standard input. While do runs, a.At is the origin
// of the URL. It ends when do returns an error or the context ends. A list without a URL is
// reported; if nobody gave a list, that is wrong usage.
func (a *app) urls(ctx context.Context, args []string, do func(text string) error) error {
	if each, expand := do, a.expand; expand != nil {
		do = func(text string) error {
			for _, text := range expand(ctx, text) {
				if err := each(text); err != nil {
					return err
				}
			}
			return nil
		}
	}
	none := len(args) == 0 && a.listFile == ""
	if none {
		args = []string{"-"}
	}
	for _, arg := range args {
		each := do
		if arg == "-" {
			each = func(string) error { return a.lines(ctx, urllist.Source{In: a.In}, none, do) }
		}
		a.At = urllist.Origin{}
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
		return a.lines(ctx, urllist.Source{In: a.In, Marked: true}, false, do)
	}
	h, err := ctxio.OpenFile(ctx, a.listFile, os.O_RDONLY)
	if err != nil {
		return scheme.Fail(scheme.CodeLocal, "list of URLs: %w", err)
	}
	defer h.Close()
	return a.lines(ctx, urllist.Source{In: h, Name: a.listFile, Marked: true}, false, do)
}

// lines calls do for each URL of a list. required reports whether no URL is wrong usage, unless the
// list is a pipe or a file.
func (a *app) lines(ctx context.Context, from urllist.Source, required bool, do func(text string) error) error {
	if from.Name == "" {
		a.sayTyping("URLs, one per line,")
	}
	defer func() { a.At = urllist.Origin{} }()
	found, err := from.Each(ctx, a.beforeInput, func(text string, at urllist.Origin) error {
		a.At = at
		return do(text)
	})
	if err != nil || found {
		return err
	}
	if f, ok := from.In.(*os.File); ok && required && !isPiped(f) {
		return errNoURL
	}
	preposition := "in"
	if from.Name == "" {
		preposition = "on"
	}
	a.Note("no URL %s %v", preposition, from)
	return nil
}

// errNoURL is the error of a verb without any URL.
var errNoURL = scheme.Fail(scheme.CodeUsage, "no URL")
