package filetest

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"locator"
	"locator/schemetest/peer"
)

// Server is a temporary folder. It implements peer.Server, without connections and faults.
type Server struct {
	root     string
	segments []string        // of root
	absent   map[string]bool // names that the system does not support
}

var _ peer.Server = (*Server)(nil)

// Start writes files to a new temporary folder, with an empty folder "incoming" for uploads of
// tests. It omits files whose names the system does not support. The caller must Close the Server.
func Start(files []peer.File) (*Server, error) {
	root, err := os.MkdirTemp("", "locator-file-")
	if err != nil {
		return nil, err
	}
	s := &Server{root: root, absent: make(map[string]bool)}
	s.segments = strings.Split(strings.Trim(filepath.ToSlash(root), "/"), "/")
	if err := os.Mkdir(s.name([]string{"incoming"}), 0o777); err != nil {
		s.Close()
		return nil, err
	}
	for _, f := range files {
		if err := s.write(f); err != nil {
			if runtime.GOOS == "linux" { // which can name anything
				s.Close()
				return nil, err
			}
			s.absent[s.name(f.Path)] = true
		}
	}
	return s, nil
}

func (s *Server) write(f peer.File) error {
	name := s.name(f.Path)
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(name, []byte(f.Content), 0o666); err != nil {
		return err
	}
	return os.Chtimes(name, f.Modified, f.Modified)
}

func (s *Server) name(path []string) string {
	return s.root + string(filepath.Separator) + strings.Join(path, string(filepath.Separator))
}

// Root returns the path of the folder.
func (s *Server) Root() string { return s.root }

// URL implements peer.Server.
func (s *Server) URL(path ...string) locator.URL {
	if s.absent[s.name(path)] {
		return locator.URL{}
	}
	u, err := locator.Build(&locator.File{Segments: append(slices.Clone(s.segments), path...)})
	if err != nil {
		return locator.URL{}
	}
	return u
}

// Misbehave implements peer.Server. It does nothing.
func (s *Server) Misbehave(peer.Fault) {}

// Connections implements peer.Server. It returns 0.
func (s *Server) Connections() int { return 0 }

// Lines implements peer.Server. It returns nil.
func (s *Server) Lines() []string { return nil }

// File implements peer.Server.
func (s *Server) File(path ...string) ([]byte, bool) {
	b, err := os.ReadFile(s.name(path))
	return b, err == nil
}

// Close removes the folder.
func (s *Server) Close() { os.RemoveAll(s.root) }
