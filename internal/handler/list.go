package handler

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// defaults is the group of mimeapps.list with the default applications.
const defaults = "Default Applications"

// maxFile is the longest file that is read, in bytes.
const maxFile = 1 << 20

// list is the file mimeapps.list. Whatever it has besides is kept as it is.
type list struct {
	lines []string
}

func readList(path string) (*list, error) {
	text, err := read(path)
	if err != nil || text == "" {
		return &list{}, err
	}
	return &list{lines: strings.Split(strings.TrimSuffix(text, "\n"), "\n")}, nil
}

func (l *list) text() string {
	if len(l.lines) == 0 {
		return ""
	}
	return strings.Join(l.lines, "\n") + "\n"
}

// group returns the lines of a group: the first after its header, and the one after its last. ok is
// false if there is none.
func (l *list) group(name string) (from, to int, ok bool) {
	for i, line := range l.lines {
		line = strings.TrimSpace(line)
		switch {
		case ok && strings.HasPrefix(line, "["):
			return from, i, true
		case line == "["+name+"]":
			from, ok = i+1, true
		}
	}
	return from, len(l.lines), ok
}

// find returns the line of a key in a group, or -1.
func (l *list) find(group, key string) (line int, value string) {
	from, to, ok := l.group(group)
	if !ok {
		return -1, ""
	}
	for i := from; i < to; i++ {
		if name, value, ok := strings.Cut(l.lines[i], "="); ok && strings.TrimSpace(name) == key {
			return i, strings.TrimSpace(value)
		}
	}
	return -1, ""
}

func (l *list) get(group, key string) string {
	_, value := l.find(group, key)
	return value
}

// set sets a key in a group, at the end of it if it is new.
func (l *list) set(group, key, value string) {
	if i, _ := l.find(group, key); i >= 0 {
		l.lines[i] = key + "=" + value
		return
	}
	_, to, ok := l.group(group)
	if !ok {
		if n := len(l.lines); n > 0 && l.lines[n-1] != "" {
			l.lines = append(l.lines, "")
		}
		l.lines = append(l.lines, "["+group+"]", key+"="+value)
		return
	}
	for to > 0 && strings.TrimSpace(l.lines[to-1]) == "" {
		to--
	}
	l.lines = slices.Insert(l.lines, to, key+"="+value)
}

// remove removes an application from all lists. Where it was the only default, the one before it
// takes its place, or the key goes. It reports whether anything changed.
func (l *list) remove(app string, before func(mediaType string) string) (changed bool) {
	from, to, _ := l.group(defaults)
	var kept []string
	for i, line := range l.lines {
		key, value, ok := strings.Cut(line, "=")
		if !ok || strings.HasPrefix(strings.TrimSpace(line), "#") || !mentions(strings.TrimSpace(value), app) {
			kept = append(kept, line)
			continue
		}
		changed = true
		rest := slices.DeleteFunc(strings.Split(strings.TrimSpace(value), ";"), func(s string) bool { return s == app || s == "" })
		text := strings.Join(rest, ";")
		if isDefault := i >= from && i < to; isDefault && text == "" {
			text = strings.TrimSuffix(before(strings.TrimSpace(key)), ";")
		}
		if text != "" {
			kept = append(kept, key+"="+text+";")
		}
	}
	l.lines = kept
	return changed
}

// keyOf returns the value of a key in the first group of a desktop entry.
func keyOf(text, key string) string {
	for line := range strings.SplitSeq(text, "\n") {
		if name, value, ok := strings.Cut(line, "="); ok && name == key {
			return value
		}
	}
	return ""
}

// read returns the content of a file, "" if there is none.
func read(path string) (string, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return "", err
	case !info.Mode().IsRegular() || info.Size() > maxFile:
		return "", &fs.PathError{Op: "read", Path: path, Err: errors.New("not a file of at most 1 MiB")}
	}
	b, err := os.ReadFile(path)
	return string(b), err
}

// write replaces a file, completely or not at all. If it is a symbolic link, as in a folder of
// settings under version control, the file that it leads to is replaced.
func write(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if to, err := filepath.EvalSymlinks(path); err == nil {
		path = to
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".locator-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if _, err = f.WriteString(text); err == nil {
		err = f.Chmod(0o644)
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
