package archive

import (
	"bufio"
	"errors"
	"io"
	"os"
	"strings"

	"locator/internal/atomicfile"
	"locator/internal/diskfile"
	"locator/scheme"
)

// fileStore appends messages to a file.
type fileStore struct {
	f    atomicfile.Place
	h    *os.File
	j    *Journal
	w    *bufio.Writer
	size int64
	sync bool
}

// open opens the file, and removes an incomplete message of an earlier run.
func (s *fileStore) open(a *Archive) error {
	for range atomicfile.MaxOpens {
		h, _, err := s.f.OpenRegular(s.f.Name, os.O_RDWR, true, a.o.Mode)
		if err != nil {
			return err
		}
		if h == nil {
			continue
		}
		s.h = h
		if err := atomicfile.Lock(h); err != nil {
			h.Close()
			return scheme.Fail(scheme.CodeLocal, "another program has locked %s", s.f.Shown(s.f.Name))
		}
		if err := s.check(a); err != nil {
			s.Close()
			return err
		}
		return nil
	}
	return scheme.Fail(scheme.CodeLocal, "another program keeps replacing %s", s.f.Shown(s.f.Name))
}

// maxTail bounds the end of a file that is searched for the message of another program, in bytes.
const maxTail = 64 << 20

// check finds the end of the last complete message.
func (s *fileStore) check(a *Archive) error {
	in, err := s.h.Stat()
	if err != nil {
		return s.f.Local(err)
	}
	s.size = in.Size()
	head := make([]byte, min(s.size, 5))
	if _, err := io.ReadFull(s.h, head); err != nil {
		return s.f.Local(err)
	}
	b := s.j.begun
	switch {
	case s.size == 0 && len(s.j.lists)+len(s.j.urls) > 0:
		a.o.Note(s.f.Shown(s.f.Name) + " is empty, and only what was not read before is added; to read everything again, remove " + s.j.f.Shown(s.j.f.Name))
	case s.size > 0 && !strings.HasPrefix(string(head), formats[a.format].head) && (b == nil || b.At > 0):
		return scheme.Fail(scheme.CodeUsage, "%s is not an archive in the format %s", s.f.Shown(s.f.Name), a.format)
	}
	fresh, known, torn := s.j.isEmpty(), len(s.j.ids), s.size
	rest := s.size
	if b != nil && b.At < s.size {
		if torn, rest, err = s.cut(a, b); err != nil {
			return err
		}
	}
	if err = s.learn(a, s.j.scanned, min(torn, s.size)); err == nil {
		err = s.learn(a, rest, s.size)
	}
	if err == nil {
		err = a.learned(s.j, fresh, known, s.size)
	}
	if err != nil {
		return err
	}
	if err := s.endLine(a.format); err != nil {
		return s.f.Local(err)
	}
	_, err = s.h.Seek(s.size, io.SeekStart)
	s.w = bufio.NewWriterSize(s.h, 64<<10)
	return s.f.Local(err)
}

// cut removes the message that was begun at b.At and not recorded, unless another program has
// written behind it. It returns where an incomplete message that stays begins and ends.
func (s *fileStore) cut(a *Archive, b *begun) (torn, rest int64, err error) {
	tail := make([]byte, min(s.size-b.At, maxTail))
	if _, err := s.h.ReadAt(tail[:min(len(tail), maxHead)], b.At); err != nil && err != io.EOF {
		return 0, 0, s.f.Local(err)
	}
	if !b.owns(tail[:min(len(tail), len(b.Head))]) {
		return s.size, s.size, nil
	}
	if _, err := s.h.ReadAt(tail, b.At); err != nil && err != io.EOF {
		return 0, 0, s.f.Local(err)
	}
	if next := formats[a.format].after(tail); next >= 0 {
		a.o.Note("a message in " + s.f.Shown(s.f.Name) + " may be incomplete, and another program has written behind it; it stays there, and is added again")
		return b.At, b.At + int64(next), nil
	}
	s.size = b.At
	s.f.Step.Before("truncate", s.f.Name)
	return s.size, s.size, s.f.Local(s.h.Truncate(s.size))
}

// endLine ends the last line of a file that another program has written.
func (s *fileStore) endLine(format Format) error {
	if s.size == 0 {
		return nil
	}
	last := make([]byte, 2)
	if _, err := s.h.ReadAt(last, max(s.size-2, 0)); err != nil && err != io.EOF {
		return err
	}
	missing := ""
	switch {
	case last[1] != '\n':
		missing = "\n\n"
	case last[0] != '\n':
		missing = "\n"
	}
	if format != Mbox {
		missing = missing[:max(len(missing)-1, 0)]
	}
	n, err := s.h.WriteAt([]byte(missing), s.size)
	s.size += int64(n)
	return err
}

// recorder calls begin with the first bytes that are written.
type recorder struct {
	w     io.Writer
	name  string
	step  atomicfile.Steps
	begin func(head []byte) error
	n     int64
}

func (r *recorder) Write(p []byte) (int, error) {
	if r.n == 0 && len(p) > 0 {
		if err := r.begin(p); err != nil {
			return 0, err
		}
	}
	r.step.Before("write", r.name)
	n, err := r.w.Write(p)
	r.n += int64(n)
	return n, err
}

// add implements store.
func (s *fileStore) add(_ string, _ *scheme.Resource, encode func(*bufio.Writer) error) (int64, error) {
	out := &recorder{w: s.h, name: s.f.Name, step: s.f.Step, begin: func(head []byte) error { return s.j.begin(s.size, head) }}
	s.w.Reset(out)
	err := encode(s.w)
	if err == nil {
		err = s.w.Flush()
	}
	if err == nil && s.sync {
		err = s.f.Step.Sync(s.h, s.f.Name)
	}
	if err == nil {
		s.size += out.n
		return out.n, nil
	}
	var source sourceError
	if !errors.As(err, &source) {
		err = s.f.Local(err)
	}
	if e := s.h.Truncate(s.size); e != nil {
		return 0, s.f.Local(e)
	}
	if _, e := s.h.Seek(s.size, io.SeekStart); e != nil {
		return 0, s.f.Local(e)
	}
	return 0, err
}

// Close implements store.
func (s *fileStore) Close() error {
	diskfile.Unlock(s.h)
	return errors.Join(s.f.Local(s.h.Close()), s.f.Close())
}
