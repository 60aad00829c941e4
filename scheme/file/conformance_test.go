package file_test

import (
	"testing"

	"locator/scheme/file"
	"locator/scheme/file/filetest"
	"locator/schemetest"
)

// Covers: S15, A12, A15
func TestConformance(t *testing.T) {
	schemetest.Run(t, schemetest.Harness{
		Scheme: file.New(),
		Start: func(t *testing.T) schemetest.Server {
			s, err := filetest.Start(schemetest.Tree())
			if err != nil {
				t.Fatal(err)
			}
			return s
		},
		Local:    true,
		Hostile:  []string{"file://elsewhere.example/etc/motd", "file:///etc%2Fmotd", "file:///etc/motd%00.txt"},
		Writable: []string{"incoming", "new file.txt"},
	})
}
