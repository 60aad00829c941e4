package peers

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"locator"
	"locator/schemetest/peer"
)

// Served is a real server for the suite of package schemetest, with a [Relay] before it and the
// common tree in a folder of its own. It cannot simulate faults.
type Served struct {
	*Relay
	dir    string   // folder of the tree on disk
	prefix []string // path of the tree in URLs
	url    func(addr string, path []string) locator.URL
}

var _ peer.Server = (*Served)(nil)

// Drop is the folder of the tree in which anonymous users may write.
const Drop = "drop"

// Serve writes the common tree to a folder that a server of [Start] serves, and starts a relay for
// the protocol. url returns the URL of a path on the server at addr, as peer.Server.URL does; it is
// the zero URL for a path that the server does not serve.
func (e *Env) Serve(t testing.TB, name, protocol string, url func(addr string, path []string) locator.URL) *Served {
	t.Helper()
	// Other tests do not use the folder "incoming".
	s := &Served{prefix: []string{"incoming", "schemetest-" + name}, url: url}
	s.dir = filepath.Join(e.Tree, filepath.Join(s.prefix...))
	if err := s.plant(); err != nil {
		t.Fatalf("peers: writing the common tree: %v", err)
	}
	var err error
	if s.Relay, err = NewRelay(e.Addr(t, name), protocol); err != nil {
		t.Fatalf("peers: %v", err)
	}
	return s
}

// plant writes the missing files and empties the folder for uploads. The files stay, since they are
// the same for all tests.
func (s *Served) plant() error {
	drop := filepath.Join(s.dir, Drop)
	if err := os.RemoveAll(drop); err != nil {
		return err
	}
	for _, f := range peer.Tree() {
		name := s.disk(f.Path)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if have, err := os.ReadFile(name); errors.Is(err, fs.ErrNotExist) || err == nil && string(have) != f.Content {
			err = os.WriteFile(name, []byte(f.Content), 0o644)
			if err != nil {
				return err
			}
		}
		if err := os.Chtimes(name, f.Modified, f.Modified); err != nil {
			return err
		}
	}
	if err := os.Mkdir(drop, 0o777); err != nil {
		return err
	}
	return os.Chmod(drop, 0o777) // regardless of the umask
}

func (s *Served) disk(path []string) string { return filepath.Join(s.dir, filepath.Join(path...)) }

// URL implements peer.Server.
func (s *Served) URL(path ...string) locator.URL {
	return s.url(s.Addr(), append(append([]string(nil), s.prefix...), path...))
}

// Misbehave implements peer.Server. It does nothing, since a real server cannot simulate faults.
func (s *Served) Misbehave(peer.Fault) {}

// File implements peer.Server.
func (s *Served) File(path ...string) ([]byte, bool) {
	data, err := os.ReadFile(s.disk(path))
	return data, err == nil
}
