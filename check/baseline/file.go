package baseline

import (
	"errors"
	"io/fs"
	"os"

	"locator/internal/atomicfile"
	"locator/scheme"
)

// ReadFile reads a baseline from a file. It returns nil, which is empty, for no name, and for a
// missing file if that is allowed. The code of the error is CodeLocal.
func ReadFile(name string, mayMiss bool) (*Baseline, error) {
	if name == "" {
		return nil, nil
	}
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) && mayMiss {
		return nil, nil
	}
	if err != nil {
		return nil, scheme.Fail(scheme.CodeLocal, "baseline: %w", err)
	}
	defer f.Close()
	b, err := Read(f)
	if err != nil {
		return nil, scheme.Fail(scheme.CodeLocal, "baseline %s: %w", name, err)
	}
	return b, nil
}

// WriteFile writes the baseline to a file, whole or not at all.
func (b *Baseline) WriteFile(name string) error { return atomicfile.Write(name, 0o666, b.Write) }

// WriteFile writes what Updated returns.
func (c *Comparison) WriteFile(name string) error {
	b, err := c.Updated()
	if err == nil {
		err = b.WriteFile(name)
	}
	return err
}
