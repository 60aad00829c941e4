package console

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"locator"
	"locator/client"
	"locator/internal/hint"
	"locator/internal/present"
	"locator/internal/units"
	"locator/internal/urllist"
	"locator/scheme"
	"locator/wire"
)

// Verbosity says which messages are printed, and in which form results are.
type Verbosity struct{ JSON, Quiet, Verbose, Trace bool }

// Printer prints the messages and the results of a run, and collects its exit status.
type Printer struct {
	Results  io.Writer
	Messages *Messages
	Terminal bool // standard error is a terminal
	ASCII    bool // and it is not in UTF-8
	Show     *Verbosity
	Advice   func(hint string) string // the words for the hint of an error, "" for none
	Remedy   string                   // appended to warnings: how to prevent what they report
	Status   Status
	Verb     string         // of the run; "" before it is known
	At       urllist.Origin // of the URL in work
}

// Of returns the error of a URL for a message: with the verb that was typed in place of the
// operation, and after the origin of the URL.
func (p *Printer) Of(o urllist.Origin, err error) error {
	if e, ok := err.(*scheme.Error); ok && e.Op != "" && p.Verb != "" {
		named := *e
		named.Op = scheme.Op(p.Verb)
		err = &named
	}
	return o.Of(err)
}

// Say writes a line to standard error. Control characters are escaped.
func (p *Printer) Say(format string, args ...any) {
	for i, arg := range args {
		if err, ok := arg.(error); ok && err != nil {
			args[i] = hint.Text(err, p.Advice)
		}
	}
	fmt.Fprintf(p.Messages, "locator: %s\n", p.forMessages(wire.TextLine(fmt.Sprintf(format, args...))))
}

// forMessages returns a line for standard error. On a terminal that is not in UTF-8, bytes beyond
// ASCII are escaped: they could be control functions of 8 bits there.
func (p *Printer) forMessages(line string) string {
	if !p.ASCII {
		return line
	}
	return present.InASCII(line)
}

// Info writes a line to standard error if -v is set.
func (p *Printer) Info(format string, args ...any) {
	if p.Show.Verbose {
		p.Say(format, args...)
	}
}

// Note writes a line to standard error unless -q or --json is set.
func (p *Printer) Note(format string, args ...any) {
	if !p.Silent() {
		p.Say(format, args...)
	}
}

// Silent reports whether Note writes nothing.
func (p *Printer) Silent() bool { return p.Show.Quiet || p.Show.JSON }

// Fail reports the error of one URL and records its code for the exit status.
func (p *Printer) Fail(err error) {
	p.Status.Add(client.CodeOf(err))
	if !p.Show.Quiet {
		p.Say("%v", err)
		p.SayRule(err)
	}
}

// SayRule says with -v which rule of which RFC a malformed URL breaks.
func (p *Printer) SayRule(err error) {
	if bad, ok := errors.AsType[*locator.SyntaxError](err); ok && bad.Section != "" {
		p.Info("the rule is %s in %s", bad.Rule, present.RFC(bad.Section))
	}
}

// Trace returns the trace of --trace, which writes the dialogue to standard error, else that of -v.
// Both and that of neither have the warnings and the waits.
func (p *Printer) Trace() *scheme.Trace {
	always := p.warnings().And(p.waits())
	switch {
	case !p.Show.Trace && p.Show.Verbose:
		return always.And(p.verboseTrace())
	case !p.Show.Trace:
		return always
	}
	line := func(prefix string) func(string) {
		return func(text string) {
			io.WriteString(p.Messages, prefix+strings.ReplaceAll(text, "\n", "\n"+prefix)+"\n")
		}
	}
	return always.And(&scheme.Trace{
		Connected: func(c scheme.Connection) { line("* ")("connected to " + c.Remote) },
		Sent:      line("> "),
		Received:  line("< "),
		Note:      func(text string) { line("* ")(wire.Escape(text)) },
	})
}

// Progress returns the display of transfers, with bars unless standard error is for something else.
func (p *Printer) Progress() *Progress {
	return NewProgress(p.Messages, p.Note, !p.Show.Quiet && !p.Show.JSON && !p.Show.Trace)
}

// waits returns the trace that says on a terminal, and with -v, that a server takes long.
func (p *Printer) waits() *scheme.Trace {
	if !p.Terminal && !p.Show.Verbose {
		return nil
	}
	return &scheme.Trace{Waiting: func(c scheme.Connection) {
		if c.Remote == "" {
			p.Note("connecting to %s", c.Dial.Addr)
			return
		}
		p.Note("connected to %s; waiting for the server", c.Remote)
	}}
}

// warnings returns the trace that says each warning once.
func (p *Printer) warnings() *scheme.Trace {
	var said sync.Map
	return &scheme.Trace{Warning: func(text string) {
		if _, again := said.LoadOrStore(text, true); !again && !p.Show.Quiet {
			p.Say("warning: %s%s", text, p.Remedy)
		}
	}}
}

// FailURL reports the error of one URL: with --json as an object on standard output, otherwise as a
// message.
func (p *Printer) FailURL(shown string, err error) error {
	if !p.Show.JSON {
		p.Fail(p.Of(p.At, err))
		return nil
	}
	j := present.Failure{URL: present.Octets(shown), Error: present.Octets(p.ErrorText(err)), Line: p.At.Line}
	j.Status, _ = p.Outcome(err)
	return p.PrintJSON(j)
}

// Outcome records the code of an outcome, and returns what JSON objects have of it.
func (p *Printer) Outcome(err error) (exit int, text *present.Octets) {
	code := client.CodeOf(err)
	p.Status.Add(code)
	if err != nil {
		text = present.OrNull(p.ErrorText(err))
	}
	return code.Exit(), text
}

// Result prints a result: the object with --json, otherwise a line.
func (p *Printer) Result(object any, line string) error {
	if p.Show.JSON {
		return p.PrintJSON(object)
	}
	return p.PrintLine(line)
}

// PrintLine prints a line, with control characters escaped, on standard output.
func (p *Printer) PrintLine(line string) error {
	_, err := fmt.Fprintln(p.Results, wire.TextLine(line))
	return OutputError(err)
}

// PrintJSON prints an object on a line of standard output.
func (p *Printer) PrintJSON(v any) error {
	line, err := present.Marshal(v)
	if err != nil {
		return err
	}
	_, err = p.Results.Write(append(line, '\n'))
	return OutputError(err)
}

// Status collects the codes of several URLs.
type Status struct {
	mu     sync.Mutex
	failed scheme.Code // CodeOK, or the code of all failures, or CodeSeveral if their exit statuses differ
}

// Exit returns the exit status.
func (s *Status) Exit() int { return s.failed.Exit() }

// Add adds the code of a URL.
func (s *Status) Add(c scheme.Code) {
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

// ErrorText returns the text of an error without the operation and the URL, which is a field of its
// own.
func (p *Printer) ErrorText(err error) string { return hint.Text(present.Bare(err), p.Advice) }

// verboseTrace returns the trace of -v without --trace: a line for each connection to a server, but
// none for data connections.
func (p *Printer) verboseTrace() *scheme.Trace {
	return &scheme.Trace{Connected: func(c scheme.Connection) {
		if c.Dial.Purpose != scheme.ForData {
			p.Info("connected to %s in %v", c.Remote, units.Round(c.Took))
		}
	}}
}

// SayTLS makes -v say how the connections to each host are secured.
func (p *Printer) SayTLS(cfg *tls.Config) {
	var said sync.Map
	insecure := cfg.InsecureSkipVerify
	cfg.VerifyConnection = func(s tls.ConnectionState) error {
		line := tls.VersionName(s.Version)
		if s.ServerName != "" { // not sent for an address
			line += " with " + s.ServerName
		}
		line += ", " + tls.CipherSuiteName(s.CipherSuite)
		if len(s.PeerCertificates) > 0 {
			line += ", certificate issued by " + s.PeerCertificates[0].Issuer.String()
		}
		if insecure {
			line += ", not verified"
		}
		if _, again := said.LoadOrStore(line, true); !again {
			p.Info("%s", line)
		}
		return nil
	}
}

// SayResource says with -v what a URL led to.
func (p *Printer) SayResource(res *scheme.Resource) {
	words := []string{res.Kind.String()}
	if n, ok := res.Attr.Size.Get(); ok {
		words = append(words, units.Size(n))
	}
	if res.Attr.Type != "" {
		words = append(words, res.Attr.Type)
	}
	if t := present.TimeText(res.Attr.Modified); t != "" {
		words = append(words, "modified "+t)
	}
	p.Info("%s: %s", res.URL.Redacted(), strings.Join(words, ", "))
}

// SayTime says with -v how long a URL took.
func (p *Printer) SayTime(shown string, start time.Time, more string) {
	p.Info("%s: done in %v%s", shown, units.Round(time.Since(start)), more)
}

// Notes prints the notes of a resource.
func (p *Printer) Notes(res *scheme.Resource) {
	if p.Show.Quiet {
		return
	}
	for _, note := range res.Notes {
		p.Say("%s: %s", res.URL.Redacted(), note)
	}
}
