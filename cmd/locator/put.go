package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"locator"
	"locator/client"
	"locator/scheme"
)

// putOptions holds the flags of put.
type putOptions struct {
	input, output string
	mediaType     string
	add, create   bool
	dryRun        bool
	ask           askOptions
}

func (a *app) putCommand() *cobra.Command {
	var o putOptions
	cmd := &cobra.Command{
		Use:   "put [flags] [FILE] URL",
		Short: "Upload, post or send data to a URL",
		Long: "put sends FILE, or standard input, to the URL and prints the resulting URL. It replaces the resource\n" +
			"(ftp STOR, http PUT; a local file is replaced completely or not at all). With --append it adds to the resource (ftp\n" +
			"APPE, or STOU if the URL has no file name; http POST; appends to a local file). If the URL is a gopher item with a\n" +
			"form, put sends the data as the answer that --field leaves open, and prints the server's reply instead of the URL.",
		Example: "  locator put page.html http://www.example.org/page.html\n" +
			"  date | locator put --append ftp://me@ftp.example.org/log.txt",
		Args: takes(1, 2),
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
			return a.access(cmd.Context(), func(ctx context.Context, c *client.Client) error {
				u, err := a.read(args[0])
				if err == nil {
					err = a.put(ctx, c, u.WithoutFragment(), o)
				}
				if err != nil && a.flags.json {
					code := client.CodeOf(err)
					a.status.add(code)
					return a.printJSON(jsonPut{URL: octets(redactInput(args[0])), Status: code.Exit(), Error: orNull(errorText(err))})
				} else if err != nil {
					a.fail(err)
				}
				return nil
			})
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVarP(&o.input, "input", "i", "", "file to send, the same as FILE")
	f.StringVarP(&o.output, "output", "o", "", "file for the server's reply")
	f.BoolVar(&o.add, "append", false, "add to the resource instead of replacing it")
	f.StringVar(&o.mediaType, "type", "", "media type of the data")
	f.BoolVar(&o.create, "create-dirs", false, "create missing directories")
	f.BoolVar(&o.dryRun, "dry-run", false, "only print the URL that data would be sent to; makes no connection and does not read standard input")
	o.ask.registerFields(f)
	return cmd
}

// jsonPut is the object of put --json.
type jsonPut struct {
	URL    octets  `json:"url"`
	Final  *octets `json:"final"`
	Status int     `json:"status"`
	Bytes  int64   `json:"bytes"`
	File   *octets `json:"file"`
	Error  *octets `json:"error"`
}

func (a *app) put(ctx context.Context, c *client.Client, u locator.URL, o putOptions) error {
	b := scheme.Body{Reader: a.In, Type: o.mediaType}
	if o.input != "" && o.input != "-" {
		h, err := openFile(ctx, o.input, os.O_RDONLY)
		if err != nil {
			return scheme.Fail(scheme.CodeLocal, "file to send: %w", err)
		}
		defer h.Close()
		b.Reader = h
		if in, err := h.Stat(); err == nil && in.IsDir() {
			return scheme.Fail(scheme.CodeUsage, "%s is a folder; put sends one file", o.input)
		} else if err == nil && in.Mode().IsRegular() {
			b.Size = scheme.Known(in.Size())
		}
	}
	answers, err := o.ask.answers(ctx)
	if err != nil {
		return err
	}
	r := scheme.Request{URL: u}
	name, send := scheme.OpReplace, c.Replace
	if o.add || onlyUpdates(c, u) {
		name, send = scheme.OpUpdate, c.Update
	}
	if o.dryRun {
		if err := c.Preflight(name, r); err != nil {
			return err
		}
		return a.printPut(u, u, 0, place{})
	}
	to, err := outputPlace(o.output)
	if err != nil {
		return err
	}
	defer to.close()
	if b.Reader == a.In {
		a.sayTyping("the data to send")
	}
	show := a.progress()
	bar := show.file(u.Redacted())
	if show.screen != nil && (o.input != "" || !isTerminal(a.In)) {
		bar.begin(b.Size.Or(-1), 0)
		b.Reader = &progressReader{b.Reader, bar}
	}
	sent, start := countSent(&b), time.Now()
	res, err := send(ctx, r, b, &scheme.WriteOptions{CreateDirs: o.create, Answers: answers, Accept: a.flags.acceptOptions()})
	bar.drop()
	show.close()
	if err != nil {
		return err
	}
	defer res.Close()
	a.notes(res)
	a.sayTime(u.Redacted(), start, ", sent "+size(sent()))
	return a.putReply(ctx, res, u, onlyUpdates(c, u), to, sent())
}

// onlyUpdates reports whether the scheme can add to resources but not replace them, such as gopher with its forms.
func onlyUpdates(c *client.Client, u locator.URL) bool {
	s, _ := c.Registry().Lookup(u.Scheme())
	_, updates := s.(scheme.Updater)
	_, replaces := s.(scheme.Replacer)
	return updates && !replaces
}

// putReply prints the result of an upload. For a form that is the reply, as with get. For any other upload it is the
// resulting URL, and the reply goes to the file of -o or is discarded.
func (a *app) putReply(ctx context.Context, res *scheme.Resource, u locator.URL, isForm bool, to place, sent int64) error {
	kept := to != place{}
	shown := (isForm || kept) && (res.Body != nil || res.Entries != nil)
	if shown {
		g := &getter{app: a, show: a.progress(), event: event{URL: octets(u.Redacted())}}
		if err := g.write(ctx, res, to); err != nil {
			return err
		}
	} else if res.Body != nil {
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
	return a.printPut(u, final, sent, to)
}

// printPut prints the URL that an upload led to, or the object of --json.
func (a *app) printPut(u, final locator.URL, sent int64, to place) error {
	if a.flags.json {
		return a.printJSON(jsonPut{URL: octets(u.Redacted()), Final: orNull(final.Redacted()), Bytes: sent, File: orNull(to.shown)})
	}
	_, err := fmt.Fprintln(a.Out, safe(final.Redacted()))
	return outputError(err)
}

// countSent returns a function that tells how many bytes of a body have been read. A file stays one, so that it can be sent again
// after a login.
func countSent(b *scheme.Body) func() int64 {
	if n, ok := b.Size.Get(); ok {
		return func() int64 { return n }
	}
	if s, ok := b.Reader.(io.Seeker); ok {
		if from, err := s.Seek(0, io.SeekCurrent); err == nil {
			return func() int64 {
				to, _ := s.Seek(0, io.SeekCurrent)
				return to - from
			}
		}
	}
	r := &countReader{Reader: b.Reader}
	b.Reader = r
	return func() int64 { return r.n }
}

// countReader counts the bytes that are read.
type countReader struct {
	io.Reader
	n int64
}

func (r *countReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.n += int64(n)
	return n, err
}
