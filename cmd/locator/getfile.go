package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"locator"
	"locator/internal/safename"
	"locator/internal/transfer"
	"locator/scheme"
	"locator/wire"
)

// place is where a body goes: a file that is replaced, a device or pipe that is written to, or standard output.
type place struct {
	file   *transfer.File
	device string
	shown  string // how messages name it
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
			return place{}, close, scheme.Fail(scheme.Usage, "-o %s is a folder: --dir takes one", shown)
		}
		return place{device: name, shown: shown}, close, nil
	}
	root, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		return place{}, close, scheme.Fail(scheme.Local, "-o: %w", err)
	}
	return place{file: &transfer.File{Root: root, Name: filepath.Base(name)}, shown: shown}, func() { root.Close() }, nil
}

// openDir opens the folder of --dir, which is made where it is missing.
func openDir(dir string) (*os.Root, error) {
	if dir == "" {
		dir = "."
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, scheme.Fail(scheme.Local, "--dir: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, scheme.Fail(scheme.Local, "--dir: %w", err)
	}
	return root, nil
}

// nameOf is the last part of a URL, decoded.
func nameOf(u locator.URL) string {
	if v, ok := locator.As[*locator.FTP](u); ok { // no typecode in the name
		name, _ := v.Name.Get()
		for i := len(v.Dirs) - 1; name == "" && i >= 0; i-- {
			name = v.Dirs[i]
		}
		return name
	}
	text, _ := u.Path()
	text = strings.TrimRight(text, "/")
	return locator.Decode(text[strings.LastIndexByte(text, '/')+1:])
}

// claim finds a free safe name for the names that a peer gave, in a folder, and makes the folders above it. A name that
// another URL of this run has taken gets a number; a file of an earlier run is not overwritten unless it may be.
func (b *batch) claim(root *os.Root, names []string) (string, error) {
	safe := make([]string, len(names))
	for i, n := range names {
		safe[i] = safename.Make(n)
	}
	name := path.Join(safe...)
	b.mu.Lock()
	defer b.mu.Unlock()
	for n := 2; b.claimed[strings.ToLower(name)]; n++ { // some file systems fold case
		name = path.Join(append(safe[:len(safe)-1:len(safe)-1], safename.Number(safe[len(safe)-1], n))...)
	}
	b.claimed[strings.ToLower(name)] = true
	if dir := path.Dir(name); dir != "." {
		if err := root.MkdirAll(dir, 0o777); err != nil {
			return "", scheme.Fail(scheme.Local, "%w", err)
		}
	}
	if _, err := root.Lstat(name); err == nil && !b.o.force && !b.o.ifNewer && !b.o.goOn {
		return "", scheme.Fail(scheme.Local, "the file %s is there already: --force overwrites it, --if-newer where the resource is newer",
			filepath.Join(b.o.dir, name))
	}
	return name, nil
}

// deliverTo writes what is no plain object in a file, or goes to standard output.
func (g *getter) deliverTo(res *scheme.Resource, to place, write func(io.Writer) (int64, error)) error {
	switch {
	case to.file != nil:
		return g.whole(to, write)
	case to.device != "":
		return g.inPlace(to, write)
	case isTerminal(g.app.Out) && !g.o.force && res.Kind == scheme.Object:
		return g.toTerminal(res)
	}
	n, err := write(g.app.Out)
	g.event.Bytes = n
	return err
}

// inPlace writes to a device or pipe, which is never renamed over.
func (g *getter) inPlace(to place, write func(io.Writer) (int64, error)) error {
	h, err := os.OpenFile(to.device, os.O_WRONLY, 0)
	if err != nil {
		return scheme.Fail(scheme.Local, "-o: %w", err)
	}
	g.event.File = orNull(to.shown)
	g.event.Bytes, err = write(h)
	if e := h.Close(); err == nil {
		err = e
	}
	return localTrouble(err)
}

// whole writes a listing or draft to NAME.part and renames it when all of it is there.
func (g *getter) whole(to place, write func(io.Writer) (int64, error)) error {
	h, err := to.file.Root.Create(to.file.Part())
	if err != nil {
		return scheme.Fail(scheme.Local, "%w", err)
	}
	g.event.Bytes, err = write(h)
	if e := h.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = to.file.Root.Rename(to.file.Part(), to.file.Name)
	}
	if err != nil {
		to.file.Root.Remove(to.file.Part())
		return localTrouble(err)
	}
	g.event.File = orNull(to.shown)
	return nil
}

// localTrouble gives an error of the file system its code.
func localTrouble(err error) error {
	var p *fs.PathError
	var e *scheme.Error
	if errors.As(err, &p) && !errors.As(err, &e) {
		return scheme.Fail(scheme.Local, "%w", err)
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
		return scheme.Fail(scheme.Usage, "%s is binary (%s): -o FILE keeps it, --force sends it to the terminal",
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
