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

// Server is the folder. It follows peer.Server as far as a folder can: it has no connections and does not misbehave.
type Server struct {
	root     string
	segments []string        // of root
	absent   map[string]bool // names that the system cannot hold
}

var _ peer.Server = (*Server)(nil)

// Start writes files into a new temporary folder, beside an empty folder "incoming" for what tests put there. What this system cannot name is left out.
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

// Root is the folder's path.
func (s *Server) Root() string { return s.root }

// URL follows peer.Server.
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

// Misbehave follows peer.Server. A folder does not misbehave.
func (s *Server) Misbehave(peer.Fault) {}

// Connections follows peer.Server: there are none.
func (s *Server) Connections() int { return 0 }

// Lines follows peer.Server: there are none.
func (s *Server) Lines() []string { return nil }

// File follows peer.Server.
func (s *Server) File(path ...string) ([]byte, bool) {
	b, err := os.ReadFile(s.name(path))
	return b, err == nil
}

// Close removes the folder.
func (s *Server) Close() { os.RemoveAll(s.root) }
