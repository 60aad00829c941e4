// Package tomlfile reads TOML files key by key, so that each error names the file, the line and the
// key.
package tomlfile

import (
	"fmt"
	"io"
	"strings"

	"github.com/BurntSushi/toml"

	"locator/internal/units"
)

// File is a TOML file.
type File struct {
	name, text string
	raw        map[string]any
	keys       []toml.Key
}

// maxSize is the largest file, in bytes.
const maxSize = 1 << 20

// Read reads a file. name is for its errors.
func Read(r io.Reader, name string) (*File, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxSize+1))
	if err == nil && len(text) > maxSize {
		err = fmt.Errorf("%s: larger than %s", name, units.Size(maxSize))
	}
	if err != nil {
		return nil, err
	}
	f := &File{name: name, text: string(text)}
	meta, err := toml.Decode(f.text, &f.raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	f.keys = meta.Keys()
	return f, nil
}

// Name returns the name that Read got.
func (f *File) Name() string { return f.name }

// Each calls set for each key and each table, in the order of the file, until it returns an error.
// The error gets the file and the line.
func (f *File) Each(set func(key []string, value any) error) error {
	for _, key := range f.keys {
		if err := set(key, f.value(key)); err != nil {
			return f.At(key, err)
		}
	}
	return nil
}

func (f *File) value(key []string) any {
	var v any = f.raw
	for _, name := range key {
		table, _ := v.(map[string]any)
		v = table[name]
	}
	return v
}

// At adds the file and the line of a key to an error.
func (f *File) At(key []string, err error) error {
	lines := strings.SplitAfter(f.text, "\n")
	for n := range lines {
		var raw map[string]any
		if meta, bad := toml.Decode(strings.Join(lines[:n+1], ""), &raw); bad == nil && meta.IsDefined(key...) {
			return fmt.Errorf("%s:%d: %w", f.name, n+1, err)
		}
	}
	return fmt.Errorf("%s: %w", f.name, err)
}
