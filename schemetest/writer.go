package schemetest

import (
	"errors"
	"io"
	"os"
	"path/filepath"

	"locator/scheme"
)

// checkFailingWriter copies a body to writers that fail: a file, which implements io.ReaderFrom,
// and one that does not.
//
// Covers: P6
func checkFailingWriter(s *stage) {
	u, _ := s.file("big.bin")
	name := filepath.Join(s.testing().TempDir(), "file")
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		s.Fatalf("%v", err)
	}
	file, err := os.Open(name) // for reading only
	if err != nil {
		s.Fatalf("%v", err)
	}
	defer file.Close()
	here, there, err := os.Pipe()
	if err != nil {
		s.Fatalf("%v", err)
	}
	here.Close()
	defer there.Close()
	for what, w := range map[string]io.Writer{"a writer": struct{ io.Writer }{file}, "a file": file, "a pipe": there} {
		s.within(s.times.patience, "a body that is copied to "+what+" that fails", func() {
			res, err := s.client().Access(s.ctx, scheme.Request{URL: u}, nil)
			if err != nil {
				s.Errorf("%v", err)
				return
			}
			defer res.Close()
			_, err = io.Copy(w, res.Body)
			if _, wrapped := errors.AsType[*scheme.Error](err); wrapped || err == nil {
				s.Errorf("%s failed, and the error of the copy is: %v", what, err)
			}
		})
	}
}
