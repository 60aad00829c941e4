package archive

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strings"

	"locator/internal/filetree"
	"locator/internal/mailtext"
	"locator/scheme"
)

// messageID returns the Message-ID of a message without its angle brackets, "" if it has none that
// identifies it: one that is damaged, or several.
func messageID(fields iter.Seq2[string, string]) (id string) {
	n := 0
	for name, value := range fields {
		if !strings.EqualFold(name, "Message-ID") {
			continue
		}
		if n++; n > 1 {
			return ""
		}
		id = strings.TrimSpace(value)
		if inner, ok := strings.CutPrefix(id, "<"); ok {
			id = strings.TrimSuffix(inner, ">")
		}
	}
	if !soundID(id) {
		return ""
	}
	return id
}

// idOf returns the messageID of a message whose header is known.
func idOf(a scheme.Attr) string {
	return messageID(func(yield func(string, string) bool) {
		for _, f := range a.More {
			if !yield(f.Name, f.Value) {
				return
			}
		}
	})
}

// maxScan bounds the header of a message in an archive that is searched for its Message-ID, in
// bytes.
const maxScan = 1 << 20

// readHead reads lines up to and including an empty one, and returns the messageID in the first
// maxScan bytes. ended reports whether there was an empty line.
func readHead(in *bufio.Reader) (id string, ended bool, err error) {
	var head []byte
	for start := true; ; {
		line, err := in.ReadSlice('\n')
		if len(head) < maxScan {
			head = append(head, line...)
		}
		if start && (string(line) == "\n" || string(line) == "\r\n") {
			return messageID(mailtext.Fields(string(head))), true, nil
		}
		start = err == nil
		if err != nil && err != bufio.ErrBufferFull {
			return messageID(mailtext.Fields(string(head))), false, ignoreEOF(err)
		}
	}
}

// ignoreEOF returns nil for io.EOF.
func ignoreEOF(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// mboxIDs calls add with the Message-ID of each message in an mbox file, except a last one without
// an empty line at its end: it may be incomplete.
func mboxIDs(in *bufio.Reader, add func(id string)) error {
	id, empty, whole := "", true, true // of the message before; the last line was empty, and not that between header and body
	for start := true; ; {
		line, err := in.ReadSlice('\n')
		if start && empty && bytes.HasPrefix(line, []byte("From ")) {
			add(id)
			for err == bufio.ErrBufferFull {
				_, err = in.ReadSlice('\n')
			}
			if whole = false; err == nil {
				id, empty, err = readHead(in)
			}
		} else if len(line) > 0 {
			empty = start && (string(line) == "\n" || string(line) == "\r\n")
			whole = empty
		}
		start = err == nil
		switch {
		case err == io.EOF && whole:
			add(id)
			return nil
		case err != nil && err != bufio.ErrBufferFull:
			return ignoreEOF(err)
		}
	}
}

// jsonIDs is mboxIDs for lines of JSON.
func jsonIDs(in *bufio.Reader, add func(id string)) error {
	for {
		var head []byte // up to the text
		whole := false
		var err error
		for more := true; more; {
			var line []byte
			line, err = in.ReadSlice('\n')
			more = err == bufio.ErrBufferFull
			if !whole && len(head) < maxScan {
				head = append(head, line...)
				if i := bytes.Index(head, []byte(`],"text":"`)); i >= 0 {
					head, whole = append(head[:i], `]}`...), true
				}
			}
		}
		if err != nil {
			return ignoreEOF(err)
		}
		var l struct {
			ID     string
			Header []struct{ Name string }
		}
		if json.Unmarshal(head, &l) == nil {
			add(messageID(func(yield func(string, string) bool) {
				for _, f := range l.Header {
					if !yield(f.Name, l.ID) {
						return
					}
				}
			}))
		}
	}
}

// learn records the Message-IDs of the messages in a part of the file.
func (s *fileStore) learn(a *Archive, from, to int64) error {
	if from >= to {
		return nil
	}
	return s.f.Local(formats[a.format].ids(bufio.NewReaderSize(io.NewSectionReader(s.h, from, to-from), 64<<10), s.j.addID))
}

// learn records the Message-IDs of the messages in the folder. A file that cannot be read is not a
// message.
func (m *maildir) learn() error {
	for _, folder := range []string{"new", "cur"} {
		if err := m.each(folder, func(name string) { m.j.addID(m.idIn(folder + "/" + name)) }); err != nil {
			return m.local(err)
		}
	}
	return nil
}

// learned writes what learn has added to a journal that had n Message-IDs, and says it if the
// journal was empty.
func (a *Archive) learned(j *Journal, fresh bool, n int, size int64) error {
	known := j.scanned > 0
	j.scanned = max(j.scanned, size, 1)
	if n = len(j.ids) - n; n == 0 && known {
		return nil
	}
	if n > 0 && fresh {
		a.o.Note(fmt.Sprintf("%s has no record of what is in the archive; the %d Message-IDs there were read, and these messages are not stored again", j.f.Shown(j.f.Name), n))
	}
	return j.compact()
}

// idIn returns the messageID of the message in a file, "" if it has none.
func (m *maildir) idIn(name string) string {
	h, err := filetree.OpenIn(m.root, name, 0)
	if err != nil {
		return ""
	}
	defer h.Close()
	id, _, _ := readHead(bufio.NewReaderSize(io.LimitReader(h, maxScan), 16<<10))
	return id
}

// each calls do with the names in a folder.
func (m *maildir) each(folder string, do func(name string)) error {
	h, err := m.root.Open(folder)
	if err != nil {
		return err
	}
	defer h.Close()
	for {
		names, err := h.Readdirnames(1000)
		for _, name := range names {
			do(name)
		}
		if err != nil {
			return ignoreEOF(err)
		}
	}
}
