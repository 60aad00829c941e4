package main

import (
	"context"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/time/rate"

	"locator"
	"locator/client"
	"locator/internal/console"
	"locator/internal/ctxio"
	"locator/internal/manual"
	"locator/internal/present"
	"locator/internal/units"
	"locator/scheme"
	"locator/upload"
)

// putOptions holds the flags of put.
type putOptions struct {
	input, output string
	mediaType     string
	add, create   bool
	dryRun        bool
	resume        bool
	retries       int
	rate          string
	ask           askOptions
	tree          treeOptions
	message       messageOptions
	queue         bool
}

func (a *app) putCommand() *cobra.Command {
	var o putOptions
	cmd := &cobra.Command{
		Use:   "put [flags] [FILE] URL",
		Short: "Upload, post or send data to a URL",
		Long: "put sends FILE, or standard input, to the URL and prints the resulting URL. It replaces the resource\n" +
			"(ftp STOR, http PUT; a local file is replaced completely or not at all). With --append it adds to the resource (ftp\n" +
			"APPE, or STOU if the URL has no file name; http POST; appends to a local file). If the URL is a gopher item with a\n" +
			"form, put sends the data as the answer that --field leaves open, and prints the server's reply instead of the URL.\n\n" +
			"To a newsgroup (nntp, news) put posts an article, and to a mailto URL it sends a mail: header lines, an empty line,\n" +
			"and the text. It adds what is missing, and prints the Message-ID. A mail is stored in the outbox before it is sent, so\n" +
			"that a failure or a crash does not lose it; \"locator outbox send\" sends it again.\n\n" +
			"With --recursive, put uploads the files in the folder DIR to the directory URL. It makes missing directories, skips\n" +
			"files that have the same size on the server and are not older there, and follows no symbolic links.",
		Example: "  locator put page.html http://www.example.org/page.html\n" +
			"  locator put --recursive site ftp://me@ftp.example.org/public_html/\n" +
			"  locator put --continue big.iso ftp://me@ftp.example.org/in/big.iso\n" +
			"  locator put --subject Menus --attach menu.txt text.txt nntp://news.example.org/comp.infosystems.gopher\n" +
			"  locator put --edit --followup news:12345@host.example\n" +
			"  locator put --subject Minutes --attach minutes.pdf text.txt mailto:ann@example.org\n" +
			"  date | locator put --append ftp://me@ftp.example.org/log.txt",
		Args: manual.Takes(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 2 {
				switch {
				case strings.Contains(args[0], "://"):
					return scheme.Fail(scheme.CodeUsage, "put takes one URL, after the file: locator put FILE URL")
				case o.input != "":
					return scheme.Fail(scheme.CodeUsage, "put sends one file: %s or %s", o.input, args[0])
				}
				o.input, args = args[0], args[1:]
			}
			limit, err := o.check()
			if err != nil {
				return err
			}
			if o.tree.on {
				return a.access(cmd.Context(), func(ctx context.Context, c *client.Client) error {
					return a.putTree(ctx, c, args[0], o, limit)
				})
			}
			return a.access(cmd.Context(), func(ctx context.Context, c *client.Client) error {
				u, err := a.readFor(c, args[0])
				if err == nil {
					err = a.put(ctx, c, u.WithoutFragment(), o, limit)
				}
				if err != nil {
					return a.failPut(args[0], err)
				}
				return nil
			})
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVarP(&o.input, "input", "i", "", "file to send, the same as FILE")
	f.StringVarP(&o.output, "output", "o", "", "file for the server's reply (http, gopher)")
	f.BoolVar(&o.add, "append", false, "add to the resource instead of replacing it")
	f.StringVar(&o.mediaType, "type", "", "media type of the data (http)")
	f.BoolVar(&o.queue, "queue", false, "store a mail in the outbox without sending it")
	f.BoolVar(&o.create, "create-dirs", false, "create missing directories (ftp, file)")
	f.BoolVarP(&o.resume, "continue", "c", false, "resume an upload of FILE (ftp, file), and keep what has arrived if it fails")
	f.IntVar(&o.retries, "retries", 2, "retries after a failed upload of data that can be read again")
	f.StringVar(&o.rate, "limit-rate", "", "limit in bytes per second, such as 500K or 2M")
	f.BoolVar(&o.dryRun, "dry-run", false, "only print the URLs that data would be sent to; without --recursive, makes no connection and reads no standard input")
	o.tree.register(f)
	o.ask.registerFields(f)
	o.message.register(f)
	return cmd
}

// check rejects flags with wrong values, and returns the limit of --limit-rate.
func (o *putOptions) check() (*rate.Limiter, error) {
	switch {
	case o.retries < 0:
		return nil, scheme.Fail(scheme.CodeUsage, "--retries must be at least 0")
	case o.resume && o.add:
		return nil, scheme.Fail(scheme.CodeUsage, "--continue cannot be combined with --append")
	case o.resume && (o.input == "" || o.input == "-"):
		return nil, scheme.Fail(scheme.CodeUsage, "--continue needs a file, since standard input cannot be read again: locator put --continue FILE URL")
	}
	if err := o.tree.check(o); err != nil {
		return nil, err
	}
	return parseRate(o.rate)
}

func (a *app) put(ctx context.Context, c *client.Client, u locator.URL, o putOptions, limit *rate.Limiter) error {
	b := scheme.Body{Reader: a.In, Type: o.mediaType}
	if o.input != "" && o.input != "-" {
		h, err := ctxio.OpenFile(ctx, o.input, os.O_RDONLY)
		if err != nil {
			return scheme.Fail(scheme.CodeLocal, "file to send: %w", err)
		}
		defer h.Close()
		b.Reader = h
		if in, err := h.Stat(); err == nil && in.IsDir() {
			return scheme.Fail(scheme.CodeUsage, "%s is a folder; put sends one file; use --recursive for a folder", o.input)
		} else if err == nil && in.Mode().IsRegular() {
			b.Size = scheme.Known(in.Size())
		}
	}
	if takesMessages(c, u) {
		return a.putMessage(ctx, c, u, b.Reader, o, limit)
	}
	answers, err := o.ask.answers(ctx)
	if err != nil {
		return err
	}
	r := scheme.Request{URL: u}
	x := upload.Options{Write: scheme.WriteOptions{CreateDirs: o.create, Answers: answers, Accept: a.flags.Accept()},
		Append: o.add || onlyUpdates(c, u), Resume: o.resume, Retries: o.retries, Rate: limit}
	if o.dryRun {
		name := scheme.OpReplace
		if x.Append {
			name = scheme.OpUpdate
		}
		if err := c.Preflight(name, r); err != nil {
			return err
		}
		return a.printPut(present.Put{URL: present.Octets(u.Redacted())}, u, place{})
	}
	to, err := outputPlace(o.output)
	if err != nil {
		return err
	}
	defer to.close()
	if b.Reader == a.In {
		a.sayTyping("the data to send")
	}
	start := time.Now()
	out, err := a.upload(ctx, c, r, b, x)
	if err != nil {
		switch client.CodeOf(err) {
		case scheme.CodeBroken, scheme.CodeUnavailable, scheme.CodeUnreachable, scheme.CodeInDoubt, scheme.CodeInterrupted:
			if o.resume {
				a.Note("the same command resumes the upload")
			}
		}
		return err
	}
	defer out.Resource.Close()
	a.Notes(out.Resource)
	sent := present.Put{URL: present.Octets(u.Redacted()), Bytes: out.Bytes - out.Resumed, Resumed: out.Resumed > 0 && !out.UpToDate, Verified: present.OrNull(out.Verified)}
	if out.UpToDate {
		sent.Action = present.OrNull("current")
		a.Info("%s is up to date", u.Redacted())
	} else {
		a.SayTime(u.Redacted(), start, ", sent "+units.Size(sent.Bytes))
	}
	return a.putReply(ctx, out.Resource, u, onlyUpdates(c, u), to, sent)
}

// upload sends a body, with a bar on a terminal.
func (a *app) upload(ctx context.Context, c *client.Client, r scheme.Request, b scheme.Body, x upload.Options) (upload.Outcome, error) {
	shown, show := r.URL.Redacted(), a.Progress()
	defer show.Close()
	x.Events = a.uploadEvents(shown, x.Retries)
	if show.HasBars() && !(b.Reader == a.In && console.IsTerminal(a.In)) { // not for what is typed
		bar := show.File(shown)
		x.Events.Begin, x.Events.Progress = bar.Begin, bar.Add
	}
	return upload.Put(ctx, c, r, b, x)
}

// uploadEvents returns the events of an upload that print messages.
func (a *app) uploadEvents(shown string, retries int) upload.Events {
	return upload.Events{
		Note: func(text string) { a.Note("%s: %s", shown, text) },
		Retry: func(err error, attempt int, wait time.Duration) {
			a.Note("%v; try %d of %d in %v", a.Of(a.At, err), attempt+1, retries+1, wait)
		},
	}
}

// onlyUpdates reports whether the scheme can add to resources but not replace them, such as gopher
// with its forms.
func onlyUpdates(c *client.Client, u locator.URL) bool {
	s, _ := c.Registry().Lookup(u.Scheme())
	_, updates := s.(scheme.Updater)
	_, replaces := s.(scheme.Replacer)
	return updates && !replaces
}

// putReply prints the result of an upload. For a form that is the reply, as with get. For any other
// upload it is the resulting URL, and the reply goes to the file of -o or is discarded.
func (a *app) putReply(ctx context.Context, res *scheme.Resource, u locator.URL, isForm bool, to place, sent present.Put) error {
	kept := to != place{}
	object := res.Kind == scheme.KindObject && res.Body != nil
	shown := (isForm || kept) && (object || res.Entries != nil)
	if shown {
		g := &getter{app: a, show: a.Progress(), event: present.Get{URL: present.Octets(u.Redacted())}}
		if err := g.write(ctx, res, to); err != nil {
			return err
		}
	} else if object {
		if _, err := io.Copy(io.Discard, res.Body); err != nil {
			return err
		}
	}
	if shown && !kept {
		return nil
	}
	final := res.URL
	if final.IsZero() {
		final = u
	}
	return a.printPut(sent, final, to)
}

// printPut prints the URL that an upload led to, or the object of --json.
func (a *app) printPut(j present.Put, final locator.URL, to place) error {
	j.Final, j.File = present.OrNull(final.Redacted()), present.OrNull(to.shown)
	return a.Result(j, final.Redacted())
}
