package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/wire"
)

// app is one run of the program.
type app struct {
	world
	flags  flags
	status status
	errMu  sync.Mutex // held while a line is written to standard error
	ascii  bool       // standard error is a terminal that is not in UTF-8
	clear  func()     // removes the progress from the terminal, until errMu is released; may be nil

	verb     string   // of the run; "" before it is known
	given    []string // the flags on the command line
	listFile string   // of -i
	at       origin   // of the URL that urls has passed on

	beforeInput func() // called before each read of standard input; may be nil
}

// run builds the commands, runs one, and returns the exit status.
func run(ctx context.Context, args []string, w world) int {
	a := &app{world: w}
	a.ascii = isTerminal(w.Err) && !a.usesUTF8()
	root := a.root()
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		completeValues(root)
	}
	root.SetArgs(withVerb(root, args, w.In))
	root.SetIn(w.In)
	root.SetOut(w.Out)
	root.SetErr(w.Err)
	cmd, err := root.ExecuteContextC(ctx)
	if ctx.Err() != nil {
		a.say("interrupted")
		return scheme.CodeInterrupted.Exit()
	}
	if errors.Is(err, context.DeadlineExceeded) { // --max-time; the URLs that it ended have been reported
		a.status.add(scheme.CodeBroken)
		err = nil
	}
	if err != nil {
		code := codeOf(err)
		if code != scheme.CodeUsage {
			a.say("%v", a.of(origin{}, err))
			return code.Exit()
		}
		// The message of cobra repeats the argument, which may be a URL with a password.
		text := locator.Redact(usageText(err))
		if errors.Is(err, errNoURL) {
			text += "; usage: " + cmd.UseLine()
		}
		a.say("%s", text)
		a.say("try: %s", helpOf(cmd))
		return code.Exit()
	}
	return a.status.failed.Exit()
}

// codeOf returns the code of an error that ends the run. An error without a code that is no system error either comes from
// cobra, and means wrong usage.
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
				a.verb, a.given = cmd.Name(), givenFlags(cmd)
			}
			return a.flags.settle(cmd, a.Getenv)
		},
		Args: knownVerb,

		SuggestionsMinimumDistance: 2,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if version {
				return a.printVersion()
			}
			return cmd.Help()
		},
	}
	a.flags.register(root.PersistentFlags())
	root.Flags().BoolVarP(&version, "version", "V", false, "print the version")
	root.SetHelpCommand(helpCommand(root))
	root.SetHelpFunc(printHelp)
	root.SetFlagErrorFunc(explainFlag)
	root.AddCommand(a.parseCommand(), a.explainCommand(), a.getCommand(), a.listCommand(), a.attrCommand(),
		a.putCommand(), a.rmCommand(), a.mvCommand(), a.mkdirCommand(), a.outboxCommand(),
		a.findCommand(), a.schemesCommand(), a.tourCommand(), a.versionCommand(), completionCommand(root), a.manCommand(root))
	for _, s := range folderServices() {
		root.AddCommand(a.folderCommand(s))
	}
	return root
}

// say writes a line to standard error. Control characters are escaped.
func (a *app) say(format string, args ...any) {
	for i, arg := range args {
		if err, ok := arg.(error); ok && err != nil {
			args[i] = textOf(err)
		}
	}
	a.errMu.Lock()
	defer a.errMu.Unlock()
	fmt.Fprintf(a.Err, "locator: %s\n", a.forMessages(safe(fmt.Sprintf(format, args...))))
}

// forMessages returns a line for standard error. On a terminal that is not in UTF-8, bytes beyond ASCII are escaped: they could be control
// functions of 8 bits there.
func (a *app) forMessages(line string) string {
	if !a.ascii {
		return line
	}
	return inASCII(line)
}

// inASCII returns a line with the bytes beyond ASCII escaped.
func inASCII(line string) string {
	var b strings.Builder
	for _, c := range []byte(line) {
		if c < utf8.RuneSelf {
			b.WriteByte(c)
		} else {
			b.WriteString(wire.Escape(string([]byte{c})))
		}
	}
	return b.String()
}

// info writes a line to standard error if -v is set.
func (a *app) info(format string, args ...any) {
	if a.flags.verbose {
		a.say(format, args...)
	}
}

// note writes a line to standard error unless -q or --json is set.
func (a *app) note(format string, args ...any) {
	if !a.silent() {
		a.say(format, args...)
	}
}

// silent reports whether note writes nothing.
func (a *app) silent() bool { return a.flags.quiet || a.flags.json }

// safe returns a line of text for a terminal: everything but printable UTF-8 is escaped.
func safe(s string) string { return wire.TextLine(s) }

// fail reports the error of one URL and records its code for the exit status.
func (a *app) fail(err error) {
	a.status.add(client.CodeOf(err))
	if !a.flags.quiet {
		a.say("%v", err)
		a.sayRule(err)
	}
}

// sayRule says with -v which rule of which RFC a malformed URL breaks.
func (a *app) sayRule(err error) {
	if bad, ok := errors.AsType[*locator.SyntaxError](err); ok && bad.Section != "" {
		a.info("the rule is %s in %s", bad.Rule, rfc(bad.Section))
	}
}

// status collects the codes of several URLs.
type status struct {
	mu     sync.Mutex
	failed scheme.Code // CodeOK, or the code of all failures, or CodeSeveral if their exit statuses differ
}

func (s *status) add(c scheme.Code) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case c == scheme.CodeOK:
	case s.failed == scheme.CodeOK:
		s.failed = c
	case s.failed.Exit() != c.Exit():
		s.failed = scheme.CodeSeveral
	}
}

// read parses a URL that may be wrapped.
func (a *app) read(text string) (locator.URL, error) {
	r := readURL(a.flags.parser(locator.Current), text)
	if r.bad != nil {
		return locator.URL{}, r.failure()
	}
	return r.url, nil
}

// access calls do with a client that the flags describe, and a context that ends after --max-time.
func (a *app) access(ctx context.Context, do func(context.Context, *client.Client) error) error {
	if a.flags.maxTime > 0 {
		limited, cancel := context.WithTimeoutCause(ctx, a.flags.maxTime, maxTimeError(a.flags.maxTime))
		defer cancel()
		ctx = limited
	}
	c, err := a.client()
	if err != nil {
		return err
	}
	defer c.Close()
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
				return a.failURL(redactInput(text), err)
			}
			a.sayTime(redactInput(text), start, "")
			return nil
		})
	})
}

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// trace returns the trace of --trace, which writes the dialogue to standard error, else that of -v. Both and that of neither have the
// warnings and the waits.
func (a *app) trace() *scheme.Trace {
	always := a.warnings().And(a.waits())
	switch {
	case !a.flags.trace && a.flags.verbose:
		return always.And(a.verboseTrace())
	case !a.flags.trace:
		return always
	}
	line := func(prefix string) func(string) {
		return func(text string) {
			a.errMu.Lock()
			defer a.errMu.Unlock()
			for part := range strings.SplitSeq(text, "\n") {
				io.WriteString(a.Err, prefix+part+"\n")
			}
		}
	}
	return always.And(&scheme.Trace{
		Connected: func(c scheme.Connection) { line("* ")("connected to " + c.Remote) },
		Sent:      line("> "),
		Received:  line("< "),
		Note:      func(text string) { line("* ")(wire.Escape(text)) },
	})
}

// waits returns the trace that says on a terminal, and with -v, that a server takes long.
func (a *app) waits() *scheme.Trace {
	if !isTerminal(a.Err) && !a.flags.verbose {
		return nil
	}
	return &scheme.Trace{Waiting: func(c scheme.Connection) {
		if c.Remote == "" {
			a.note("connecting to %s", c.Dial.Addr)
			return
		}
		a.note("connected to %s; waiting for the server", c.Remote)
	}}
}

// warnings returns the trace that says each warning once.
func (a *app) warnings() *scheme.Trace {
	var said sync.Map
	return &scheme.Trace{Warning: func(text string) {
		if _, again := said.LoadOrStore(text, true); !again && !a.flags.quiet {
			a.say("warning: %s (--tls require prevents that)", text)
		}
	}}
}
