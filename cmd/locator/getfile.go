package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"locator/download"
	"locator/scheme"
	"locator/wire"
)

// place is where a body goes: a file that is replaced, a device or pipe that is written to, or standard output.
type place struct {
	file   *download.File
	device string
	shown  string // how messages name it
	in     *below // the folder of the file, where it is one of a run
}

// outputPlace is the place that -o names. The folder stays open until close is called.
func outputPlace(name string) (to place, close func(), err error) {
	close = func() {}
	if name == "" || name == "-" {
		return place{}, close, nil
	}
	shown := name
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real // the link stays, its target is replaced
	}
	if in, err := os.Stat(name); err == nil && !in.Mode().IsRegular() {
		if in.IsDir() {
			return place{}, close, scheme.Fail(scheme.CodeUsage, "-o %s is a folder: --dir takes one", shown)
		}
		return place{device: name, shown: shown}, close, nil
	}
	root, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		return place{}, close, scheme.Fail(scheme.CodeLocal, "-o: %w", err)
	}
	return place{file: &download.File{Root: root, Name: filepath.Base(name)}, shown: shown}, func() { root.Close() }, nil
}

// deliverTo writes what is no plain object in a file, or goes to standard output.
func (g *getter) deliverTo(ctx context.Context, res *scheme.Resource, to place, write func(io.Writer) (int64, error)) error {
	switch {
	case to.file != nil:
		return g.whole(to, write)
	case to.device != "":
		return g.inPlace(ctx, to, write)
	case isTerminal(g.app.Out) && !g.o.force && res.Kind == scheme.KindObject:
		return g.toTerminal(res)
	}
	n, err := write(g.app.Out)
	g.event.Bytes = n
	return err
}

// inPlace writes to a device or pipe, which is never renamed over.
func (g *getter) inPlace(ctx context.Context, to place, write func(io.Writer) (int64, error)) error {
	h, err := openFile(ctx, to.device, os.O_WRONLY)
	if err != nil && ctx.Err() == nil {
		return scheme.Fail(scheme.CodeLocal, "-o: %w", err)
	} else if err != nil {
		return err
	}
	unbind := scheme.Bind(ctx, h) // whoever reads a pipe may have stopped
	defer unbind()
	g.event.File = orNull(to.shown)
	g.event.Bytes, err = write(h)
	if e := h.Close(); err == nil {
		err = e
	}
	if err != nil && ctx.Err() != nil { // what the end of the context has brought about
		return ctx.Err()
	}
	return localTrouble(err)
}

// whole writes a listing or draft to a file.
func (g *getter) whole(to place, write func(io.Writer) (int64, error)) (err error) {
	if g.event.Bytes, err = download.Write(*to.file, write); err == nil {
		g.event.File = orNull(to.shown)
	}
	return localTrouble(err)
}

// localTrouble gives an error of the file system its code.
func localTrouble(err error) error {
	var p *fs.PathError
	var e *scheme.Error
	if errors.As(err, &p) && !errors.As(err, &e) {
		return scheme.Fail(scheme.CodeLocal, "%w", err)
	}
	return err
}

// sniffLen is how much of a body is looked at to tell text from binary.
const sniffLen = 512

// toTerminal filters text, so that no octet of a peer moves the cursor, and refuses binary.
func (g *getter) toTerminal(res *scheme.Resource) error {
	in := bufio.NewReaderSize(res.Body, 32<<10)
	head, err := in.Peek(sniffLen)
	if len(head) == 0 && err != nil && err != io.EOF {
		return err
	}
	if bytes.IndexByte(head, 0) >= 0 || res.Attr.Type != "" && !isText(res.Attr.Type) && !plain(head) {
		return scheme.Fail(scheme.CodeUsage, "%s is binary (%s): -o FILE keeps it, --force sends it to the terminal",
			res.URL.Redacted(), res.Attr.Type)
	}
	n, err := io.Copy(g.app.Out, wire.Text(in))
	g.event.Bytes = n
	return err
}

func isText(mediaType string) bool {
	return strings.HasPrefix(mediaType, "text/") || strings.Contains(mediaType, "json") || strings.Contains(mediaType, "xml")
}

// plain reports whether octets look like text: no control octet but white space.
func plain(head []byte) bool {
	for _, c := range head {
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' || c == 0x7F {
			return false
		}
	}
	return true
}
