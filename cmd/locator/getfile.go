package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"locator"
	"locator/internal/safename"
	"locator/scheme"
	"locator/wire"
)

// toFile writes to the file that -o names.
func (g *getter) toFile(path string, write func(io.Writer) (int64, error)) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real // the link stays, its target is replaced
	}
	if in, err := os.Stat(path); err == nil && !in.Mode().IsRegular() {
		if in.IsDir() {
			return scheme.Fail(scheme.Usage, "-o %s is a folder: --dir takes one", path)
		}
		return g.inPlace(path, write)
	}
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return scheme.Fail(scheme.Local, "-o: %w", err)
	}
	defer root.Close()
	return g.whole(root, filepath.Base(path), path, write)
}

// inPlace writes to a device or pipe, which is never renamed over.
func (g *getter) inPlace(path string, write func(io.Writer) (int64, error)) error {
	h, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return scheme.Fail(scheme.Local, "-o: %w", err)
	}
	g.event.File = orNull(path)
	err = g.copyTo(h, write)
	if e := h.Close(); err == nil && e != nil {
		err = scheme.Fail(scheme.Local, "-o: %w", e)
	}
	return err
}

// toNamed writes to a file with the name that the URL gives, inside --dir. No name leads out of it.
func (g *getter) toNamed(res *scheme.Resource, write func(io.Writer) (int64, error)) error {
	dir := g.o.dir
	if dir == "" {
		dir = "."
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return scheme.Fail(scheme.Local, "--dir: %w", err)
	}
	defer root.Close()
	name := safename.Make(nameOf(res.URL))
	if _, err := root.Lstat(name); err == nil && !g.o.force {
		return &scheme.Error{Op: "write", URL: res.URL.Redacted(), Code: scheme.Local,
			Err: fmt.Errorf("the file %s is there already: --force overwrites it", filepath.Join(dir, name))}
	}
	return g.whole(root, name, filepath.Join(dir, name), write)
}

// nameOf is the last part of a URL, decoded.
func nameOf(u locator.URL) string {
	text, _ := u.Path()
	if v, ok := locator.As[*locator.FTP](u); ok { // no typecode in the name
		name, _ := v.Name.Get()
		text = name
		for i := len(v.Dirs) - 1; text == "" && i >= 0; i-- {
			text = v.Dirs[i]
		}
		return text
	}
	text = strings.TrimRight(text, "/")
	return locator.Decode(text[strings.LastIndexByte(text, '/')+1:])
}

// whole writes to NAME.part and renames it when all of it is there and on the disk.
func (g *getter) whole(root *os.Root, name, shown string, write func(io.Writer) (int64, error)) error {
	part := name + ".part"
	h, err := root.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return scheme.Fail(scheme.Local, "%w", err)
	}
	err = g.copyTo(h, write)
	if e := h.Close(); err == nil && e != nil {
		err = scheme.Fail(scheme.Local, "%w", e)
	}
	if err != nil {
		if in, e := root.Stat(part); e == nil && in.Size() == 0 {
			root.Remove(part)
		} else if e == nil && !g.app.flags.quiet && !g.app.flags.json {
			g.app.say("%d octets are kept in %s.part", in.Size(), shown)
		}
		return err
	}
	if err := root.Rename(part, name); err != nil {
		return scheme.Fail(scheme.Local, "%w", err)
	}
	g.event.File = orNull(shown)
	g.app.info("wrote %d octets to %s", g.event.Bytes, shown)
	return nil
}

// copyTo writes to a file; --json wants the digest too.
func (g *getter) copyTo(h *os.File, write func(io.Writer) (int64, error)) error {
	var out io.Writer = h
	var sum hash.Hash
	if g.app.flags.json {
		sum = sha256.New()
		out = io.MultiWriter(h, sum)
	}
	n, err := write(out)
	g.event.Bytes = n
	if err != nil {
		var path *fs.PathError
		var e *scheme.Error
		if errors.As(err, &path) && !errors.As(err, &e) {
			return scheme.Fail(scheme.Local, "%w", err)
		}
		return err
	}
	if sum != nil {
		g.event.SHA256 = orNull(hex.EncodeToString(sum.Sum(nil)))
	}
	return nil
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
