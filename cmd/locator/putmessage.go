package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/time/rate"

	"locator"
	"locator/client"
	"locator/internal/compose"
	"locator/internal/console"
	"locator/internal/ctxio"
	"locator/internal/mailfmt"
	"locator/internal/present"
	"locator/internal/units"
	"locator/outbox"
	"locator/scheme"
	"locator/scheme/bulk"
	"locator/scheme/message"
	"locator/upload"
	"locator/wire"
)

// messageOptions holds the flags of put for messages.
type messageOptions struct {
	subject, from string
	attach        []string
	edit          bool
	followUp      bool
	allowBcc      bool
	notify        []string
	returns       string
	keep          bool // of the Draft
}

func (o *messageOptions) register(f *pflag.FlagSet) {
	f.StringVar(&o.subject, "subject", "", "subject of a message")
	f.StringVar(&o.from, "from", "", "author of a message, such as 'Name <name@example.org>' (default --mail)")
	f.StringArrayVar(&o.attach, "attach", nil, "file to attach to a message (repeatable)")
	f.BoolVar(&o.edit, "edit", false, "write the message with the editor in $VISUAL or $EDITOR")
	f.BoolVar(&o.allowBcc, "allow-bcc", false, "keep the blind copies that a mailto URL asks for")
	f.StringSliceVar(&o.notify, "notify", nil, "ask for a report about the delivery of a mail: never, or some of success, failure and delay")
	f.StringVar(&o.returns, "return", "", "what a report about the delivery contains: full, the whole mail, or hdrs, its header")
	f.BoolVar(&o.followUp, "followup", false, "post a follow-up to the article of the URL")
}

// given returns a flag that is for messages only, "" if there is none.
func (o *messageOptions) given() string {
	switch {
	case o.subject != "":
		return "--subject"
	case o.from != "":
		return "--from"
	case o.attach != nil:
		return "--attach"
	case o.edit:
		return "--edit"
	case o.followUp:
		return "--followup"
	case o.notify != nil:
		return "--notify"
	case o.returns != "":
		return "--return"
	case o.allowBcc:
		return "--allow-bcc"
	}
	return ""
}

// takesMessages reports whether the scheme of a URL sends messages.
func takesMessages(c *client.Client, u locator.URL) bool {
	s, _ := c.Registry().Lookup(u.Scheme())
	_, ok := s.(bulk.Poster)
	return ok
}

// putMessage completes a message and sends it. in is the text.
func (a *app) putMessage(ctx context.Context, c *client.Client, u locator.URL, in io.Reader, o putOptions, limit *rate.Limiter) error {
	r := scheme.Request{URL: u}
	if err := c.Preflight(scheme.OpUpdate, r); err != nil {
		return err
	}
	d, err := c.Draft(ctx, r)
	if err != nil {
		return err
	}
	switch {
	case d.Answers != "" && !o.message.followUp:
		return scheme.Fail(scheme.CodeUsage, "the URL names an article; to post a follow-up to it, add --followup")
	case d.Answers == "" && o.message.followUp:
		return scheme.Fail(scheme.CodeUsage, "--followup needs the URL of an article")
	}
	if o.message.keep = d.Keep; o.queue && !d.Keep {
		return scheme.Fail(scheme.CodeUsage, "--queue is for mail; scheme %s sends its messages at once", u.Scheme())
	}
	for _, note := range d.Notes {
		a.Note("%s: %s", u.Redacted(), note)
	}
	a.noteBcc(u.Redacted(), compose.Bcc(d, o.message.allowBcc))
	mo := mailfmt.Options{Draft: d, KeepBcc: !d.News, Mail: a.flags.Mail, Now: time.Now(), CancelSecret: a.flags.CancelSecret}
	if mo.Fields, err = o.messageFields(); err != nil {
		return err
	}
	if mo.Attach, err = o.message.attachments(ctx); err != nil {
		return err
	}
	if !o.message.edit {
		if in == a.In {
			a.sayTyping("the message")
		}
		m, err := ctxio.Wait(ctx, func() (*mailfmt.Message, error) { return mailfmt.Complete(in, mo) })
		if err != nil {
			return err
		}
		return a.sendMessage(ctx, c, r, m, o, limit)
	}
	if in == a.In { // that is for the editor
		in = nil
	}
	editor := compose.Editor{Command: compose.EditorCommand(a.Getenv), In: a.In, Out: a.Out, Err: a.Err,
		Kept: func(name string) {
			a.Note("the text is kept in %s; to send it, use that file in place of --edit", name)
		}}
	return editor.Edit(ctx, in, mo, func(mo mailfmt.Options, text *os.File) (*mailfmt.Message, error) {
		m, err := mailfmt.Complete(text, mo)
		if err == nil {
			err = a.sendMessage(ctx, c, r, m, o, limit)
		}
		return m, err
	})
}

// messageFields returns the header fields of the flags.
func (o *putOptions) messageFields() ([]mailfmt.Field, error) {
	var fields []mailfmt.Field
	if o.message.from != "" {
		fields = append(fields, mailfmt.Field{Name: "From", Value: o.message.from, Where: "--from"})
	}
	if o.message.subject != "" {
		fields = append(fields, mailfmt.Field{Name: "Subject", Value: o.message.subject, Where: "--subject"})
	}
	for _, f := range o.ask.fields {
		i := strings.IndexAny(f, "=:")
		if i < 0 {
			return nil, scheme.Fail(scheme.CodeUsage, "--field: must be 'Name=value'")
		}
		fields = append(fields, mailfmt.Field{Name: strings.TrimSpace(f[:i]), Value: f[i+1:], Where: "--field"})
	}
	return fields, nil
}

// attachments returns the files of --attach. Each is opened once to see that it can be.
func (o *messageOptions) attachments(ctx context.Context) ([]mailfmt.Attachment, error) {
	var list []mailfmt.Attachment
	for _, path := range o.attach {
		h, err := ctxio.OpenFile(ctx, path, os.O_RDONLY)
		if err != nil {
			return nil, scheme.Fail(scheme.CodeLocal, "--attach: %w", err)
		}
		in, err := h.Stat()
		h.Close()
		switch {
		case err != nil:
			return nil, scheme.Fail(scheme.CodeLocal, "--attach: %w", err)
		case !in.Mode().IsRegular():
			return nil, scheme.Fail(scheme.CodeUsage, "--attach: %s is not a file; to send a folder, pack it into an archive", wire.TextLine(path))
		}
		list = append(list, mailfmt.Attachment{Name: filepath.Base(path), Open: func() (io.ReadCloser, error) { return ctxio.OpenFile(ctx, path, os.O_RDONLY) }})
	}
	return list, nil
}

// sendMessage sends a complete message and prints its message-id. With --dry-run it prints the
// message.
func (a *app) sendMessage(ctx context.Context, c *client.Client, r scheme.Request, m *mailfmt.Message, o putOptions, limit *rate.Limiter) error {
	sent := present.Put{URL: present.Octets(r.URL.Redacted())}
	sent.Describe(m)
	if o.dryRun {
		return a.printMessage(m, sent)
	}
	if o.message.keep {
		return a.keepMessage(ctx, c, r, m, o, limit)
	}
	n, err := m.Size()
	if err != nil {
		return err
	}
	text := m.Reader()
	defer text.Close()
	start := time.Now()
	out, err := a.upload(ctx, c, r, scheme.Body{Reader: text, Size: scheme.Known(n)}, upload.Options{Append: true, Rate: limit, Write: scheme.WriteOptions{Reports: o.message.reports()}})
	if err != nil {
		if e, ok := errors.AsType[*scheme.Error](err); ok && e.Partial != nil {
			a.sayRefused(e.Partial.Receipt)
		}
		return err
	}
	defer out.Resource.Close()
	a.Notes(out.Resource)
	a.SayTime(r.URL.Redacted(), start, ", sent "+units.Size(n))
	sent.Bytes, sent.Final = n, present.OrNull(out.Resource.URL.Redacted())
	if receipt := out.Resource.Receipt; receipt != nil {
		sent.Reply = present.OrNull(receipt.Reply)
		a.Info("%s: %s", r.URL.Redacted(), receipt.Reply)
		code := a.sayRefused(receipt)
		a.Status.Add(code)
		sent.Status = code.Exit()
		sent.Refuse(receipt)
	}
	return a.Result(sent, "<"+m.ID+">")
}

// sayRefused names the recipients that the server refused. It returns the code of the first that
// will not get the message, or CodeUnavailable if all of them may get it later.
func (a *app) sayRefused(receipt *scheme.Receipt) (code scheme.Code) {
	if receipt == nil {
		return scheme.CodeOK
	}
	for _, x := range receipt.Refused {
		if !a.Show.Quiet {
			a.Say("%s: refused (server: %s)", safe(x.Recipient), x.Reply)
		}
		if code == scheme.CodeOK || code == scheme.CodeUnavailable {
			code = x.Code
		}
	}
	return code
}

// reports returns the reports about the delivery that the flags ask for.
func (o *messageOptions) reports() message.Reports {
	return message.Reports{Notify: o.notify, Return: o.returns}
}

// printMessage prints a message that is not sent, on a terminal with control characters escaped.
func (a *app) printMessage(m *mailfmt.Message, j present.Put) error {
	if a.flags.JSON {
		return a.PrintJSON(j)
	}
	text := m.Reader()
	defer text.Close()
	_, err := io.Copy(a.Out, a.forTerminal(text))
	if _, ok := errors.AsType[*scheme.Error](err); ok {
		return err
	}
	return console.OutputError(err)
}

// keepMessage stores a message in the outbox and sends it from there. With --queue it only stores
// it. From then on the message is not lost: a failure is reported here, and is not an error.
func (a *app) keepMessage(ctx context.Context, c *client.Client, r scheme.Request, m *mailfmt.Message, o putOptions, limit *rate.Limiter) error {
	b, err := a.openOutbox()
	if err != nil {
		return err
	}
	defer b.Close()
	e, err := a.queueMessage(b, r, m, o.message.reports(), c)
	if err != nil {
		return err
	}
	sent := present.Put{URL: present.Octets(r.URL.Redacted()), Entry: present.OrNull(e.ID)}
	sent.Describe(m)
	if o.queue {
		sent.State = present.OrNull(e.State.String())
		a.Note("the mail is queued as %s; to send it: %s", e.ID, a.outboxCommandLine("send"))
		return a.Result(sent, "<"+m.ID+">")
	}
	start := time.Now()
	e, err = b.Send(ctx, &mailer{a: a, c: c, limit: limit}, e.ID, outbox.SendOptions{})
	if e.ID == "" { // another process has it, or it could not be read
		return err
	}
	_ = b.Prune()
	code := client.CodeOf(err)
	sent.State, sent.Status, sent.Error = present.OrNull(e.State.String()), code.Exit(), nil
	refused := compose.Refused(e)
	sent.Refuse(refused)
	if err != nil {
		a.Status.Add(code)
		sent.Error = present.OrNull(a.ErrorText(err))
		if !a.flags.JSON {
			if !a.flags.Quiet && e.Receipt == nil { // nobody has got it
				a.Say("%v", a.Of(a.At, err))
			}
			a.sayRefused(refused)
		}
		a.noteMessage(e)
	}
	if e.Receipt == nil {
		if a.flags.JSON {
			return a.PrintJSON(sent)
		}
		return nil
	}
	a.SayTime(r.URL.Redacted(), start, ", sent "+units.Size(e.Size))
	a.Info("%s: %s", r.URL.Redacted(), e.Receipt.Reply)
	sent.Bytes, sent.Reply, sent.Final = e.Size, present.OrNull(e.Receipt.Reply), present.OrNull(r.URL.Redacted())
	return a.Result(sent, "<"+m.ID+">")
}

// queueMessage stores a message. If one like it was not sent yet, it says so.
func (a *app) queueMessage(b *outbox.Outbox, r scheme.Request, m *mailfmt.Message, reports message.Reports, c *client.Client) (outbox.Entry, error) {
	server, err := a.ownServer(c, r.URL)
	if err != nil {
		return outbox.Entry{}, err
	}
	e, alike, err := compose.Queue(b, r.URL, server, m, reports)
	if n := len(alike); n > 0 {
		x := alike[n-1]
		a.Note("the outbox has %s with this subject and these recipients, such as %s (%v); to see them: %s", units.Count(n, "other mail"), x.ID, x.State, a.outboxCommandLine("list"))
	}
	return e, err
}

// ownServer returns the server of --smtp, with the user of --user if it names none, to which later
// attempts go, too. That of the configuration file is not a mail's own: if it changes, mail that
// waits is sent through the new one.
func (a *app) ownServer(c *client.Client, u locator.URL) (locator.URL, error) {
	if !a.flags.IsSet("smtp") || len(a.flags.SMTP) == 0 {
		return locator.URL{}, nil
	}
	servers, err := a.flags.Servers(c.Registry())
	if err != nil || len(servers[u.Scheme()]) == 0 {
		return locator.URL{}, err
	}
	server := servers[u.Scheme()][0]
	if _, named := server.User(); named || !a.flags.IsSet("user") {
		return server, nil
	}
	user, _, _ := strings.Cut(a.flags.User, ":")
	with, err := server.WithUser(locator.Some(locator.Encode(user)), locator.Optional{})
	if err != nil {
		return server, nil // a name that no URL has
	}
	return with, nil
}
