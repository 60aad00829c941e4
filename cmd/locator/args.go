package main

import (
	"io"
	"locator/internal/console"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// withVerb returns the arguments with the verb get before them if a URL or "-" stands where the verb should, or if nothing does and
// standard input may hold URLs.
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
	a.say("reading %s from the terminal; end with %s", what, end)
}
