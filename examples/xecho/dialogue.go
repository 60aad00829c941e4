package xecho

import (
	"context"
	"errors"
	"io"
	"iter"
	"strconv"
	"strings"
	"sync"

	"locator/scheme"
	"locator/wire"
)

// dialogue is one connection. Close or the end of the context closes it.
type dialogue struct {
	*wire.Conn
	close func() error
}

// Close closes the connection. It may be called more than once, like the Close of every Resource.
func (d *dialogue) Close() error { return d.close() }

// ask connects, sends "verb name" and reads the reply. It returns the text after the "+".
func ask(ctx context.Context, env *scheme.Env, p place, verb string) (*dialogue, string, error) {
	line, err := wire.Command(verb, "name", p.name) // fails for CR, LF and NUL before anything is dialled
	if err != nil {
		return nil, "", err
	}
	conn, err := env.Dial(ctx, scheme.Dial{Purpose: scheme.ForControl, Addr: p.addr})
	if err != nil {
		return nil, "", err
	}
	unbind := scheme.Bind(ctx, conn)
	d := &dialogue{
		Conn: wire.NewConn(conn, wire.Options{MaxLine: env.Limits.Line, LineTime: env.Limits.LineTime, Sent: env.Trace.OnSent, Received: env.Trace.OnReceived}),
		close: sync.OnceValue(func() error {
			unbind()
			return conn.Close()
		}),
	}
	reply, err := d.say(line)
	if err != nil {
		d.Close()
		return nil, "", err
	}
	return d, reply, nil
}

// say sends a line and returns the reply.
func (d *dialogue) say(line wire.Line) (string, error) {
	if err := d.Send(line); err != nil {
		return "", err
	}
	reply, err := d.ReadLine()
	if err != nil {
		return "", err
	}
	if rest, ok := strings.CutPrefix(reply, "+"); ok {
		return rest, nil
	}
	return "", refusal(reply)
}

// refusal returns the error for a reply that does not begin with "+".
func refusal(reply string) error {
	shown := wire.Escape(reply)
	word, _, _ := strings.Cut(reply, " ")
	switch word {
	case "-missing":
		return scheme.Replied(scheme.CodeNotFound, shown, "the server has no such file")
	case "-busy":
		return scheme.Replied(scheme.CodeUnavailable, shown, "the server is busy; try again later")
	}
	return scheme.Replied(scheme.CodeProtocol, shown, "not a reply of an echo server")
}

// body is the data after the reply to GET.
type body struct {
	*dialogue
	left int64
}

func (b *body) Read(p []byte) (int, error) {
	if b.left == 0 {
		return 0, io.EOF
	}
	n, err := b.Reader().Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	if errors.Is(err, io.EOF) {
		err = scheme.Fail(scheme.CodeBroken, "the connection closed %d bytes before the end: %w", b.left, io.ErrUnexpectedEOF)
	}
	return n, err
}

// entries returns the entries of a folder. It closes the connection when the loop ends.
func (d *dialogue) entries(p place, limits scheme.Limits, o scheme.ListOptions) iter.Seq2[scheme.Entry, error] {
	return func(yield func(scheme.Entry, error) bool) {
		defer d.Close()
		octets := int64(0)
		for n := 0; ; n++ {
			line, err := d.ReadLine()
			if err != nil {
				yield(scheme.Entry{}, err)
				return
			}
			if line == "." {
				return
			}
			if o.Copy != nil {
				if _, err := io.WriteString(o.Copy, line+"\n"); err != nil {
					yield(scheme.Entry{}, err)
					return
				}
			}
			if octets += int64(len(line)); n == limits.Entries || octets > limits.Listing {
				yield(scheme.Entry{}, scheme.Fail(scheme.CodeBroken, "the folder is larger than the limit of %d entries or %d bytes", limits.Entries, limits.Listing))
				return
			}
			e, err := entry(p, line)
			if !yield(e, err) || err != nil || n+1 == o.Max {
				return
			}
		}
	}
}

// entry parses "size name" or "- name/". The name is only data: any byte of it is escaped in the
// URL.
func entry(p place, line string) (scheme.Entry, error) {
	size, name, _ := strings.Cut(line, " ")
	if strings.TrimSuffix(name, "/") == "" {
		return scheme.Entry{}, scheme.Replied(scheme.CodeProtocol, wire.Escape(line), "not a line of a folder")
	}
	e := scheme.Entry{Name: name, Kind: scheme.KindObject}
	if folder, ok := strings.CutSuffix(name, "/"); ok {
		e.Name, e.Kind = folder, scheme.KindListing
	} else if n, err := strconv.ParseInt(size, 10, 64); err == nil && n >= 0 {
		e.Attr.Size = scheme.Known(n)
	}
	var err error
	e.URL, err = URL(p.host, p.name+name)
	return e, err
}

// send sends a text in chunks and reads the last reply. The server keeps the old text until the
// last chunk, so that a body of the wrong size or an aborted one changes nothing.
func (d *dialogue) send(ctx context.Context, b scheme.Body) error {
	last, err := wire.Bare("0")
	if err != nil {
		return err
	}
	src := b.Source(ctx)
	if _, err := src.Do(func() (int64, error) { return io.Copy(chunks{d}, src) }); err != nil {
		return err
	}
	if err := b.Pass(); err != nil {
		return err
	}
	if err := d.Send(last); err != nil {
		return err
	}
	reply, err := d.ReadLine()
	if err != nil { // the server may have received the last chunk
		return scheme.Fail(scheme.CodeInDoubt, "no reply from the server, which may have stored the text: %w", err)
	}
	if !strings.HasPrefix(reply, "+") {
		return refusal(reply)
	}
	return nil
}

// chunks writes each piece as a chunk.
type chunks struct{ d *dialogue }

func (c chunks) Write(p []byte) (int, error) {
	length, err := wire.Bare(strconv.Itoa(len(p)))
	if err != nil {
		return 0, err
	}
	if err := c.d.Send(length); err != nil {
		return 0, err
	}
	return c.d.NetConn().Write(p)
}
