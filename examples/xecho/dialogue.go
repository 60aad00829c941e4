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

// dialogue is one connection, which ends with the context or by Close.
type dialogue struct {
	*wire.Conn
	close func() error
}

// Close ends the connection. It may be called more than once, as all that a Resource holds.
func (d *dialogue) Close() error { return d.close() }

// ask connects, sends "verb name" and reads the reply, of which it returns what follows the "+".
func ask(ctx context.Context, env *scheme.Env, p place, verb string) (*dialogue, string, error) {
	line, err := wire.Command(verb, "name", p.name) // refuses CR, LF and NUL before anything is connected to
	if err != nil {
		return nil, "", err
	}
	conn, err := env.Dial(ctx, scheme.Dial{Purpose: scheme.ForControl, Addr: p.addr})
	if err != nil {
		return nil, "", err
	}
	unbind := scheme.Bind(ctx, conn)
	d := &dialogue{
		Conn: wire.NewConn(conn, wire.Options{MaxLine: env.Limits.Line, Sent: env.Trace.OnSent, Received: env.Trace.OnReceived}),
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

// say sends a line and reads the reply.
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

// refusal makes an error of a reply that is not "+".
func refusal(reply string) error {
	shown := wire.Escape(reply)
	word, _, _ := strings.Cut(reply, " ")
	switch word {
	case "-missing":
		return scheme.Replied(scheme.CodeNotFound, shown, "nothing was put there")
	case "-busy":
		return scheme.Replied(scheme.CodeUnavailable, shown, "the server is busy; try again later")
	}
	return scheme.Replied(scheme.CodeProtocol, shown, "this is no reply of an echo server")
}

// body is what follows the reply to GET.
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
		err = scheme.Fail(scheme.CodeBroken, "the server left out the last %d octets: %w", b.left, io.ErrUnexpectedEOF)
	}
	return n, err
}

// entries reads the lines of a folder, at most so many; 0 is all. It ends the connection when the loop ends.
func (d *dialogue) entries(p place, limits scheme.Limits, most int) iter.Seq2[scheme.Entry, error] {
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
			if octets += int64(len(line)); n == limits.Entries || octets > limits.Listing {
				yield(scheme.Entry{}, scheme.Fail(scheme.CodeBroken, "the folder is larger than the limit of %d entries or %d octets", limits.Entries, limits.Listing))
				return
			}
			e, err := entry(p, line)
			if !yield(e, err) || err != nil || n+1 == most {
				return
			}
		}
	}
}

// entry reads "octets name" or "- name/". The name is data: whatever its octets, it becomes part of a URL.
func entry(p place, line string) (scheme.Entry, error) {
	size, name, _ := strings.Cut(line, " ")
	if strings.TrimSuffix(name, "/") == "" {
		return scheme.Entry{}, scheme.Replied(scheme.CodeProtocol, wire.Escape(line), "this is no line of a folder")
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

// send sends a text in chunks and reads the last reply. Until the last chunk the server keeps the old text: a body of
// the wrong size, and one that its owner takes back, changes nothing.
func (d *dialogue) send(b scheme.Body) error {
	chunk, sent := make([]byte, 16<<10), int64(0)
	for {
		n, err := b.Read(chunk)
		sent += int64(n)
		if n > 0 {
			if err := d.sendChunk(chunk[:n]); err != nil {
				return err
			}
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return scheme.Fail(scheme.CodeLocal, "reading what was to be sent (nothing was changed): %w", err)
		}
	}
	if size := b.Size.Or(sent); size != sent {
		return scheme.Fail(scheme.CodeLocal, "what was to be sent was announced with %d octets and has %d (nothing was changed)", size, sent)
	}
	last, err := wire.Bare("0")
	if err != nil {
		return err
	}
	if err := b.Pass(); err != nil {
		return scheme.Fail(scheme.CodeLocal, "nothing was changed: %w", err)
	}
	if err := d.Send(last); err != nil {
		return err
	}
	reply, err := d.ReadLine()
	if err != nil { // it may have got the last chunk
		return scheme.Fail(scheme.CodeInDoubt, "the server ended without an answer, and may have taken the text: %w", err)
	}
	if !strings.HasPrefix(reply, "+") {
		return refusal(reply)
	}
	return nil
}

func (d *dialogue) sendChunk(chunk []byte) error {
	length, err := wire.Bare(strconv.Itoa(len(chunk)))
	if err != nil {
		return err
	}
	if err := d.Send(length); err != nil {
		return err
	}
	_, err = d.NetConn().Write(chunk)
	return err
}
