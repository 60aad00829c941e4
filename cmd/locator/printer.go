package main

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
	"locator/internal/console"
	"locator/internal/present"
	"locator/internal/settings"
	"locator/internal/units"
	"locator/internal/urllist"
	"locator/scheme"
	"locator/wire"
)

// printer prints the messages and the results of a run, and collects its exit status.
type printer struct {
	out      io.Writer
	messages *console.Messages // on standard error
	terminal bool              // standard error is a terminal
	ascii    bool              // and it is not in UTF-8
	show     *settings.Verbosity
	status   status
	verb     string         // of the run; "" before it is known
	at       urllist.Origin // of the URL that urls has passed on
}

// of returns the error of a URL for a message: with the verb that was typed in place of the
// operation, and after the origin of the URL.
func (p *printer) of(o urllist.Origin, err error) error {
	if e, ok := err.(*scheme.Error); ok && e.Op != "" && p.verb != "" {
		named := *e
		named.Op = scheme.Op(p.verb)
		err = &named
	}
	return o.Of(err)
}

// say writes a line to standard error. Control characters are escaped.
func (p *printer) say(format string, args ...any) {
	for i, arg := range args {
		if err, ok := arg.(error); ok && err != nil {
			args[i] = textOf(err)
		}
	}
	fmt.Fprintf(p.messages, "locator: %s\n", p.forMessages(safe(fmt.Sprintf(format, args...))))
}

// forMessages returns a line for standard error. On a terminal that is not in UTF-8, bytes beyond
// ASCII are escaped: they could be control functions of 8 bits there.
func (p *printer) forMessages(line string) string {
	if !p.ascii {
		return line
	}
	return present.InASCII(line)
}

// info writes a line to standard error if -v is set.
func (p *printer) info(format string, args ...any) {
	if p.show.Verbose {
		p.say(format, args...)
	}
}

// note writes a line to standard error unless -q or --json is set.
func (p *printer) note(format string, args ...any) {
	if !p.silent() {
		p.say(format, args...)
	}
}

// silent reports whether note writes nothing.
func (p *printer) silent() bool { return p.show.Quiet || p.show.JSON }

// fail reports the error of one URL and records its code for the exit status.
func (p *printer) fail(err error) {
	p.status.add(client.CodeOf(err))
	if !p.show.Quiet {
		p.say("%v", err)
		p.sayRule(err)
	}
}

// sayRule says with -v which rule of which RFC a malformed URL breaks.
func (p *printer) sayRule(err error) {
	if bad, ok := errors.AsType[*locator.SyntaxError](err); ok && bad.Section != "" {
		p.info("the rule is %s in %s", bad.Rule, present.RFC(bad.Section))
	}
}

// trace returns the trace of --trace, which writes the dialogue to standard error, else that of -v.
// Both and that of neither have the warnings and the waits.
func (p *printer) trace() *scheme.Trace {
	always := p.warnings().And(p.waits())
	switch {
	case !p.show.Trace && p.show.Verbose:
		return always.And(p.verboseTrace())
	case !p.show.Trace:
		return always
	}
	line := func(prefix string) func(string) {
		return func(text string) {
			io.WriteString(p.messages, prefix+strings.ReplaceAll(text, "\n", "\n"+prefix)+"\n")
		}
	}
	return always.And(&scheme.Trace{
		Connected: func(c scheme.Connection) { line("* ")("connected to " + c.Remote) },
		Sent:      line("> "),
		Received:  line("< "),
		Note:      func(text string) { line("* ")(wire.Escape(text)) },
	})
}

// progress returns the display of transfers, with bars unless standard error is for something else.
func (p *printer) progress() *console.Progress {
	return console.NewProgress(p.messages, p.note, !p.show.Quiet && !p.show.JSON && !p.show.Trace)
}

// waits returns the trace that says on a terminal, and with -v, that a server takes long.
func (p *printer) waits() *scheme.Trace {
	if !p.terminal && !p.show.Verbose {
		return nil
	}
	return &scheme.Trace{Waiting: func(c scheme.Connection) {
		if c.Remote == "" {
			p.note("connecting to %s", c.Dial.Addr)
			return
		}
		p.note("connected to %s; waiting for the server", c.Remote)
	}}
}

// warnings returns the trace that says each warning once.
func (p *printer) warnings() *scheme.Trace {
	var said sync.Map
	return &scheme.Trace{Warning: func(text string) {
		if _, again := said.LoadOrStore(text, true); !again && !p.show.Quiet {
			p.say("warning: %s (--tls require prevents that)", text)
		}
	}}
}

// failURL reports the error of one URL: with --json as an object on standard output, otherwise as a
// message.
func (p *printer) failURL(shown string, err error) error {
	if !p.show.JSON {
		p.fail(p.of(p.at, err))
		return nil
	}
	code := client.CodeOf(err)
	p.status.add(code)
	return p.printJSON(present.Failure{URL: present.Octets(shown), Status: code.Exit(), Error: present.Octets(errorText(err)), Line: p.at.Line})
}

// printJSON prints an object on a line of standard output.
func (p *printer) printJSON(v any) error {
	line, err := present.Marshal(v)
	if err != nil {
		return err
	}
	_, err = p.out.Write(append(line, '\n'))
	return console.OutputError(err)
}

// safe returns a line of text for a terminal: everything but printable UTF-8 is escaped.
func safe(s string) string { return wire.TextLine(s) }

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

// errorText returns the text of an error without the operation and the URL, which is a field of its own.
func errorText(err error) string { return textOf(present.Bare(err)) }

// verboseTrace returns the trace of -v without --trace: a line for each connection to a server, but none for data connections.
func (p *printer) verboseTrace() *scheme.Trace {
	return &scheme.Trace{Connected: func(c scheme.Connection) {
		if c.Dial.Purpose != scheme.ForData {
			p.info("connected to %s in %v", c.Remote, units.Round(c.Took))
		}
	}}
}

// verboseTLS makes -v say how the connections to each host are secured.
func (p *printer) verboseTLS(cfg *tls.Config) {
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
			p.info("%s", line)
		}
		return nil
	}
}

// sayResource says with -v what a URL led to.
func (p *printer) sayResource(res *scheme.Resource) {
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
	p.info("%s: %s", res.URL.Redacted(), strings.Join(words, ", "))
}

// sayTime says with -v how long a URL took.
func (p *printer) sayTime(shown string, start time.Time, more string) {
	p.info("%s: done in %v%s", shown, units.Round(time.Since(start)), more)
}
