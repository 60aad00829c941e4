package baseline

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"locator/internal/atomicfile"
	"locator/internal/localsite"
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
	b, err := readFrom(f, folderURL(name))
	if err != nil {
		return nil, scheme.Fail(scheme.CodeLocal, "baseline %s: %w", name, err)
	}
	return b, nil
}

// WriteFile writes the baseline to a file, whole or not at all. A file below the folder of the
// baseline is written as "./docs/a.md", so that the baseline holds in each checkout; ReadFile puts
// its own folder before it.
func (b *Baseline) WriteFile(name string) error {
	return atomicfile.Write(name, 0o666, func(w io.Writer) error { return b.writeTo(w, folderURL(name)) })
}

// folderURL returns the URL of the folder of a file, with a slash at its end; "" if it has none.
func folderURL(name string) string {
	u := localsite.FileURL(filepath.Dir(name))
	if u.IsZero() {
		return ""
	}
	return strings.TrimSuffix(u.String(), "/") + "/"
}

// WriteFile writes what Updated returns.
func (c *Comparison) WriteFile(name string) error {
	b, err := c.Updated()
	if err == nil {
		err = b.WriteFile(name)
	}
	return err
}
