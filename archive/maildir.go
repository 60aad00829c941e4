package archive

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"locator/internal/atomicfile"
	"locator/scheme"
)

// maildir stores messages in a Maildir (cr.yp.to/proto/maildir.html): each is written in tmp and
// renamed to new. The name of its file depends on the message only, so that a message that was
// stored and not recorded is not stored twice.
type maildir struct {
	root   *os.Root
	dir    string // for messages
	j      *Journal
	mode   fs.FileMode
	sync   bool
	step   atomicfile.Steps
	stored string // the file of a message that was stored and perhaps not recorded
}

// maildirSuffix ends the names of all files that a maildir makes.
const maildirSuffix = ".locator"

var maildirFolders = []string{"cur", "new", "tmp"}

// open makes the folders. A folder that holds something else is not a Maildir.
func (m *maildir) open() error {
	missing := 0
	for _, name := range maildirFolders {
		in, err := m.root.Lstat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			missing++
		case err != nil:
			return m.local(err)
		case !in.IsDir():
			return scheme.Fail(scheme.CodeUsage, "%s is not a folder", shownPath(m.dir, name))
		}
	}
	if missing == len(maildirFolders) {
		h, err := m.root.Open(".")
		if err != nil {
			return m.local(err)
		}
		names, _ := h.Readdirnames(2) // of an empty folder, an error
		h.Close()
		if len(names) > 1 || len(names) == 1 && names[0] != JournalName {
			return scheme.Fail(scheme.CodeUsage, "%s is not empty, and no Maildir", shownPath(m.dir))
		}
	}
	for _, name := range maildirFolders {
		if err := m.root.Mkdir(name, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
			return m.local(err)
		}
	}
	return nil
}

func (m *maildir) local(err error) error {
	return atomicfile.Place{Root: m.root, Dir: m.dir}.Local(err)
}

// recover removes what a killed run has left in tmp, and looks whether the message that it began is
// stored: in new, or in cur if a mail program has seen it.
func (m *maildir) recover() error {
	if m.j.begun == nil {
		return nil
	}
	base := string(m.j.begun.Head)
	if strings.ContainsAny(base, "/\x00") || !strings.HasSuffix(base, maildirSuffix) {
		return nil
	}
	if err := m.root.Remove("tmp/" + base); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return m.local(err)
	}
	for _, folder := range []string{"new", "cur"} {
		if err := m.each(folder, func(name string) {
			if name != base && !strings.HasPrefix(name, base+":") && !strings.HasPrefix(name, base+";") {
				return
			}
			if id := m.idIn(folder + "/" + name); id != "" {
				key := hashOf(id)
				m.j.add(journalLine{IDs: key[:]})
			} else {
				m.stored = base
			}
		}); err != nil {
			return m.local(err)
		}
	}
	return nil
}

// base returns the name of the file of a message.
func (m *maildir) base(key string, res *scheme.Resource) string {
	seconds := int64(0)
	if !res.Attr.Modified.IsZero() {
		seconds = max(res.Attr.Modified.Unix(), 0)
	}
	sum := sha256.Sum256([]byte(key))
	return strconv.FormatInt(seconds, 10) + "." + hex.EncodeToString(sum[:12]) + maildirSuffix
}

// add implements store.
func (m *maildir) add(key string, res *scheme.Resource, encode func(*bufio.Writer) error) (int64, error) {
	base := m.base(key, res)
	if base == m.stored { // by the run that was killed
		m.stored = ""
		return 0, encode(bufio.NewWriter(io.Discard))
	}
	if err := m.j.begin(0, []byte(base)); err != nil {
		return 0, err
	}
	tmp := "tmp/" + base
	if err := m.root.Remove(tmp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, m.local(err)
	}
	h, err := m.root.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, m.mode) // O_EXCL follows no link
	if err != nil {
		return 0, m.local(err)
	}
	out := &countedWriter{w: h}
	w := bufio.NewWriterSize(out, 64<<10)
	if err = encode(w); err == nil {
		err = w.Flush()
	}
	if err == nil && m.sync {
		err = m.step.Sync(h, tmp)
	}
	if e := h.Close(); err == nil {
		err = e
	}
	if err == nil {
		m.step.Before("rename", "new/"+base)
		err = m.root.Rename(tmp, "new/"+base)
	}
	if err == nil && m.sync {
		err = m.step.SyncFolder(m.root, "new")
	}
	if err != nil {
		m.root.Remove(tmp)
		if _, ok := errors.AsType[sourceError](err); !ok {
			err = m.local(err)
		}
		return 0, err
	}
	return out.n, nil
}

// Close implements store.
func (m *maildir) Close() error { return m.root.Close() }

// countedWriter counts what is written.
type countedWriter struct {
	w io.Writer
	n int64
}

// Write implements io.Writer.
func (c *countedWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}
