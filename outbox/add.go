package outbox

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"time"
	"unicode/utf8"

	"locator"
	"locator/internal/diskfile"
	"locator/internal/symlink"
	"locator/scheme"
	"locator/wire"
)

// maxRecipients bounds the recipients of a message.
const maxRecipients = 1000

// Add stores a message. When it returns without an error, the message is on disk. Two messages with
// the same URL and Message-ID are one: the error for the second matches fs.ErrExist, and has code
// CodeUsage, until the first is removed. Other errors have code CodeUsage if the URL is not one
// that mail or news is sent to, if the message is too large, has no Message-ID or another one than
// m.ID, has more than 1000 recipients, or its URL has a secret besides its password, and code
// CodeLocal if it cannot be stored, for example because the disk is full, or the outbox.
func (b *Outbox) Add(m Message) (Entry, error) {
	h, err := b.header(&m)
	if err != nil {
		return Entry{}, err
	}
	b.sweep()
	_ = b.Prune()
	ids, _, err := b.names()
	if err != nil {
		return Entry{}, err
	}
	if len(ids) >= b.opt.MaxEntries {
		return Entry{}, scheme.Fail(scheme.CodeLocal, "outbox: %d messages are in %s; send or drop some of them first", len(ids), wire.Escape(b.dir))
	}
	for n := range lockTries {
		if err = b.writeNew(h, m.Content); !errors.Is(err, errRaced) {
			break
		}
		if n < lockTries-1 {
			time.Sleep(lockWait)
			b.sweep()
		}
	}
	if err != nil {
		return Entry{}, err
	}
	return b.Entry(h.ID)
}

// header returns the header of a message.
func (b *Outbox) header(m *Message) (*header, error) {
	switch {
	case m.URL.IsZero():
		return nil, scheme.Fail(scheme.CodeMalformed, "the message has no URL")
	case !takesMail(m.URL):
		return nil, scheme.Fail(scheme.CodeUsage, "a message is sent to a mail address or a newsgroup, not to %s", m.URL.Redacted())
	case int64(len(m.Content)) > b.opt.MaxSize:
		return nil, scheme.Fail(scheme.CodeUsage, "the message has %d bytes; at most %d are allowed", len(m.Content), b.opt.MaxSize)
	case len(m.Recipients) > maxRecipients:
		return nil, scheme.Fail(scheme.CodeUsage, "the message has %d recipients; at most %d are allowed", len(m.Recipients), maxRecipients)
	}
	id, err := messageID(m)
	if err != nil {
		return nil, err
	}
	u, err := withoutPassword(m.URL)
	if err != nil {
		return nil, err
	}
	server, err := withoutPassword(m.Server)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(m.Content)
	return &header{ID: newID(id, m.URL), URL: u.Text(), Server: server.Text(), Queued: b.now(), MessageID: id, From: valid(m.From), Subject: valid(m.Subject),
		Recipients: m.Recipients, Notify: m.Reports.Notify, Return: m.Reports.Return, Size: int64(len(m.Content)), SHA256: hex.EncodeToString(sum[:])}, nil
}

// takesMail reports whether messages can be sent to a URL: its scheme, or the one whose protocol
// that speaks, is of addresses or groups. A program may register a scheme of its own for messages.
func takesMail(u locator.URL) bool {
	syntax := locator.SyntaxOf(u.Scheme())
	if syntax == nil {
		return true
	}
	family := syntax
	if syntax.Family != "" {
		family = locator.SyntaxOf(syntax.Family)
	}
	return family.Shape == locator.ShapeAddress || family.Shape == locator.ShapeGroup
}

// withoutPassword returns a URL without its password. It fails if the URL has another secret.
func withoutPassword(u locator.URL) (locator.URL, error) {
	if _, ok := u.Password(); ok {
		user := locator.Optional{}
		if name, ok := u.User(); ok {
			user = locator.Some(name)
		}
		without, err := u.WithUser(user, locator.Optional{})
		if err != nil {
			return u, scheme.Fail(scheme.CodeUsage, "%s: %w", u.Redacted(), err)
		}
		u = without
	}
	if u.Redacted() != u.Text() {
		return u, scheme.Fail(scheme.CodeUsage, "%s: the URL has a secret, which the outbox does not store", u.Redacted())
	}
	return u, nil
}

// maxText bounds texts for people, in bytes.
const maxText = 1000

// valid returns a text for people as UTF-8 that is not too long.
func valid(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= maxText {
		return s
	}
	cut := maxText
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut]
}

// errRaced says that another process added a message, or removed what was left of it, at the same
// time.
var errRaced = errors.New("another process is adding the same message")

// writeNew writes the file of a new entry and renames it. Only the owner of the temporary name and
// of the lock on it may do so.
func (b *Outbox) writeNew(h *header, content []byte) (err error) {
	line, err := encode(h)
	if err != nil {
		return err
	}
	text := bytes.Join([][]byte{fmt.Appendf(nil, "%s%d\n", magic, version), line, content, []byte("\n")}, nil)
	temporary, name := newPrefix+h.ID, h.ID+suffix
	var n *os.File
	err = b.do("create", temporary, nil, func() (err error) {
		n, err = b.root.OpenFile(temporary, os.O_RDWR|os.O_CREATE|os.O_EXCL, fileMode)
		return err
	})
	if errors.Is(err, fs.ErrExist) {
		return scheme.Fail(scheme.CodeUnavailable, "outbox: %w", errRaced)
	}
	if err != nil {
		return b.local(err)
	}
	defer n.Close()
	defer diskfile.Unlock(n)
	if err := diskfile.Lock(n, false); errors.Is(err, diskfile.ErrLocked) || err == nil && !b.sameFile(n, temporary) { // by sweep
		return scheme.Fail(scheme.CodeUnavailable, "outbox: %w", errRaced)
	} else if err != nil {
		_ = b.remove(temporary)
		return b.local(fmt.Errorf("the file system has no locks: %w", err))
	}
	if _, err := b.root.Lstat(name); err == nil {
		_ = b.remove(temporary)
		return b.exists(h.ID)
	}
	err = b.do("write", temporary, text, func() error {
		_, err := n.Write(text)
		return err
	})
	if err == nil {
		err = b.do("sync", temporary, nil, n.Sync)
	}
	if err == nil && runtime.GOOS == "windows" { // it cannot rename an open file
		err = n.Close()
	}
	if err == nil {
		err = b.do("rename", name, nil, func() error { return b.root.Rename(temporary, name) })
	}
	if err != nil {
		_ = b.remove(temporary)
		return b.local(err)
	}
	return b.syncFolder()
}

// exists returns the error for a message that is in the outbox.
func (b *Outbox) exists(id string) error {
	state := ""
	if e, err := b.Entry(id); err == nil {
		state = ", " + e.State.String()
	}
	return scheme.Fail(scheme.CodeUsage, "a message with this Message-ID is in the outbox: %s%s (%w)", id, state, fs.ErrExist)
}

// sameFile reports whether an open file has this name.
func (b *Outbox) sameFile(h *os.File, name string) bool {
	in, err := b.root.Lstat(name)
	if err != nil {
		return false
	}
	mine, err := h.Stat()
	return err == nil && os.SameFile(in, mine)
}

func (b *Outbox) remove(name string) error {
	return b.do("remove", name, nil, func() error { return b.root.Remove(name) })
}

// syncFolder writes the names in the folder to disk.
func (b *Outbox) syncFolder() error {
	return b.local(b.do("syncdir", ".", nil, func() error { return diskfile.SyncFolder(b.root, ".") }))
}

// sweep removes what others have left when they were stopped while they added a message.
func (b *Outbox) sweep() {
	d, err := b.root.Open(".")
	if err != nil {
		return
	}
	defer d.Close()
	list, _ := d.ReadDir(2 * b.opt.MaxEntries)
	for _, in := range list {
		if id, ok := strings.CutPrefix(in.Name(), newPrefix); !ok || !validID(id) || !in.Type().IsRegular() {
			continue
		}
		h, err := b.root.OpenFile(in.Name(), os.O_RDWR, 0)
		if err != nil {
			continue
		}
		if s, err := h.Stat(); err == nil && symlink.Owned(s) && diskfile.Lock(h, false) == nil {
			if b.sameFile(h, in.Name()) {
				_ = b.remove(in.Name())
			}
			diskfile.Unlock(h)
		}
		h.Close()
	}
}
