package console

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"locator/scheme/form"
)

// A file opened for an answer is closed if a later question fails.
//
// Covers: S9
func TestAskEachCloses(t *testing.T) {
	t.Parallel()
	h, err := os.Create(filepath.Join(t.TempDir(), "upload"))
	if err != nil {
		t.Fatal(err)
	}
	failed := errors.New("interrupted")
	fields := []form.Field{{Name: "File", Kind: form.File}, {Name: "Name"}}
	_, ok, err := askEach(fields, nil, func(_ string, f form.Field) (form.Answer, bool, error) {
		if f.Kind == form.File {
			return form.Answer{Name: f.Name, File: h}, true, nil
		}
		return form.Answer{}, false, failed
	})
	if ok || err != failed {
		t.Errorf("%v, %v", ok, err)
	}
	if err := h.Close(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("the file is still open: %v", err)
	}
}
