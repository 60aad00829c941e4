package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"locator"
	"locator/client"
	"locator/explain"
	"locator/internal/console"
	"locator/internal/manual"
	"locator/internal/settings"
	"locator/internal/urllist"
	"locator/scheme"
)

// app is one run of the program: the world that it runs in, what it prints, and its flags.
type app struct {
	world
	console.Printer
	flags    settings.Settings
	listFile string // of -i

	beforeInput func()                                          // called before each read of standard input; may be nil
	pool        client.PoolOptions                              // of the client
	expand      func(ctx context.Context, text string) []string // returns the URLs that an argument or line stands for; may be nil
}

// newApp returns a run in a world.
func newApp(w world) *app {
	a := &app{world: w}
	terminal := console.IsTerminal(w.Err)
	a.Printer = console.Printer{Results: w.Out, Messages: console.NewMessages(w.Err), Terminal: terminal, ASCII: terminal && !console.UTF8(w.Getenv), Show: &a.flags.Verbosity, Advice: advice, Remedy: " (--tls require prevents that)"}
	a.flags.Getenv, a.flags.Ask, a.flags.Warn = w.Getenv, a.Messages.Ask, func(text string) { a.Say("%s", text) }
	return a
}

// run builds the commands, runs one, and returns the exit status.
func run(ctx context.Context, args []string, w world) int {
	a := newApp(w)
	root := a.root()
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		manual.CompleteValues(root)
	}
	root.SetArgs(withVerb(root, args, w.In))
	root.SetIn(w.In)
	root.SetOut(w.Out)
	root.SetErr(w.Err)
	cmd, err := root.ExecuteContextC(ctx)
	if ctx.Err() != nil {
		a.Say("interrupted")
		return scheme.CodeInterrupted.Exit()
	}
	if a.flags.MaxTime > 0 && errors.Is(err, context.DeadlineExceeded) { // the URLs that it ended have been reported
		a.Status.Add(scheme.CodeBroken)
		err = nil
	}
	if own, ok := errors.AsType[exitError](err); ok {
		a.Say("%v", own)
		return own.status
	}
	if err != nil {
		code := codeOf(err)
		if code != scheme.CodeUsage {
			a.Say("%v", a.Of(urllist.Origin{}, err))
			return code.Exit()
		}
		// The message of cobra repeats the argument, which may be a URL with a password.
		text := locator.Redact(manual.UsageText(err))
		if errors.Is(err, errNoURL) {
			text += "; usage: " + cmd.UseLine()
		}
		a.Say("%s", text)
		a.Say("try: %s", manual.HelpOf(cmd))
		return code.Exit()
	}
	return a.Status.Exit()
}

// codeOf returns the code of an error that ends the run. An error without a code that is not a
// system error either comes from cobra, and means wrong usage.
func codeOf(err error) scheme.Code {
	if e, ok := errors.AsType[*scheme.Error](err); ok {
		return e.Code
	}
	if code := client.CodeOf(err); code != scheme.CodeProtocol {
		return code
	}
	return scheme.CodeUsage
}

// root returns the command tree.
func (a *app) root() *cobra.Command {
	var version bool
	root := &cobra.Command{
		Use:   "locator",
		Short: "Parse, explain and access URLs of all RFC 1738 schemes",
		Long: "locator parses, explains and accesses URLs as RFC 1738 and today's RFCs define them.\n\n" +
			"\"locator URL\" is short for \"locator get URL\". A URL may be written plainly, as URL:... or as <URL:...>. Without a\n" +
			"URL, or with \"-\", URLs are read from standard input, one per line. Data goes to standard output, everything else to\n" +
			"standard error.",
		Example: "  locator ftp://ftp.example.org/pub/README\n" +
			"  locator explain 'http://good\\@evil/'\n" +
			"  locator list gopher://gopher.example.org/\n" +
			"  locator list --newest --max 20 nntp://news.example.org/comp.lang.c\n" +
			"  locator put --subject Hello text.txt mailto:ann@example.org\n" +
			"  locator telnet://bbs.example.org",
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.HasParent() {
				a.Verb = cmd.Name()
			}
			return a.flags.Load(cmd)
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if version {
				return a.printVersion()
			}
			return cmd.Help()
		},
	}
	a.flags.Register()
	root.Flags().SortFlags = false
	root.Flags().AddFlagSet(a.flags.All) // for "locator -v get"
	root.Flags().BoolVarP(&version, "version", "V", false, "print the version")
	manual.Setup(root)
	serve := a.serveCommand()
	for _, verb := range a.folderCommands(false) {
		a.share(verb, baseFlags)
		serve.AddCommand(verb)
	}
	for _, x := range []struct {
		shared string
		verbs  []*cobra.Command
	}{
		{contentFlags, []*cobra.Command{a.getCommand(), a.listCommand(), a.attrCommand()}},
		{contentFlags + secretFlags + outboxFlags, []*cobra.Command{a.putCommand()}},
		{changeFlags + outboxFlags, []*cobra.Command{a.outboxCommand()}},
		{changeFlags + secretFlags, []*cobra.Command{a.rmCommand()}},
		{changeFlags, []*cobra.Command{a.mvCommand(), a.mkdirCommand()}},
		{readFlags, []*cobra.Command{a.findCommand(), a.parseCommand()}},
		{readFlags + policyFlags + "gateway news-server", []*cobra.Command{a.explainCommand()}},
		{baseFlags + runFlags + "json", []*cobra.Command{a.tourCommand()}},
		{checkFlagNames, []*cobra.Command{a.checkCommand()}},
		{baseFlags + "json", []*cobra.Command{a.reportCommand(), a.runsCommand(), a.watchCommand()}},
		{strings.ReplaceAll(checkFlagNames, "json ", ""), []*cobra.Command{a.workerCommand()}},
		{baseFlags, []*cobra.Command{a.handlerCommand(), a.openCommand()}},
		{baseFlags + "json", []*cobra.Command{a.schemesCommand(), a.versionCommand()}},
		{baseFlags + runFlags + policyFlags + "cacert cert key ipv4 ipv6 user-agent mail proxy-env gateway news-server smtp sendmail ", []*cobra.Command{serve}},
		{baseFlags, append(a.folderCommands(true), manual.CompletionCommand(root), manual.ManCommand(root, a.Mode, cmp.Or(Date, readBuild().Day()), readBuild().Version))},
	} {
		for _, verb := range x.verbs {
			a.share(verb, x.shared)
			root.AddCommand(verb)
		}
	}
	return root
}

// read parses a URL that may be wrapped.
func (a *app) read(text string) (locator.URL, error) {
	r := explain.Read(a.flags.Parser(locator.Current), text)
	if r.Err != nil {
		return locator.URL{}, failureOf(&r)
	}
	return r.URL, nil
}

// open returns a client that the flags describe, and a context that ends after --max-time. The
// caller must call end.
func (a *app) open(ctx context.Context) (_ context.Context, _ *client.Client, end func(), err error) {
	c, err := a.client()
	if err != nil {
		return ctx, nil, nil, err
	}
	if a.flags.MaxTime <= 0 {
		return ctx, c, func() { c.Close() }, nil
	}
	limited, cancel := context.WithTimeoutCause(ctx, a.flags.MaxTime, maxTimeError(a.flags.MaxTime))
	return limited, c, func() { c.Close(); cancel() }, nil
}

// access calls do with a client and its context.
func (a *app) access(ctx context.Context, do func(context.Context, *client.Client) error) error {
	ctx, c, end, err := a.open(ctx)
	if err != nil {
		return err
	}
	defer end()
	return do(ctx, c)
}

// maxTimeError is the error of what is not done after --max-time.
type maxTimeError time.Duration

func (e maxTimeError) Error() string {
	return fmt.Sprintf("stopped after --max-time %v", time.Duration(e))
}

// Is makes it a context.DeadlineExceeded.
func (e maxTimeError) Is(target error) bool { return target == context.DeadlineExceeded }

// accessURLs calls do for each URL, and reports its errors.
func (a *app) accessURLs(ctx context.Context, args []string, do func(context.Context, *client.Client, locator.URL) error) error {
	return a.accessTexts(ctx, args, func(ctx context.Context, c *client.Client, text string) error {
		u, err := a.readFor(c, text)
		if err == nil {
			err = do(ctx, c, u.WithoutFragment())
		}
		return err
	})
}

// accessTexts is accessURLs with the texts of the URLs, which may be malformed.
func (a *app) accessTexts(ctx context.Context, args []string, do func(context.Context, *client.Client, string) error) error {
	return a.access(ctx, func(ctx context.Context, c *client.Client) error {
		return a.urls(ctx, args, func(text string) error {
			start := time.Now()
			if err := do(ctx, c, text); err != nil {
				return a.FailURL(redactInput(text), err)
			}
			a.SayTime(redactInput(text), start, "")
			return nil
		})
	})
}
