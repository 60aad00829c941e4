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

// Served is a real server as package schemetest knows servers: behind a [Relay], with the common tree in a folder of its
// own. It shows no faults.
type Served struct {
	*Relay
	dir    string   // of the tree on disk
	prefix []string // of the tree in URLs
	url    func(addr string, path []string) locator.URL
}

var _ peer.Server = (*Served)(nil)

// Drop is the folder of a served tree that anybody may write to.
const Drop = "drop"

// Serve plants the common tree where a server of [Start] serves it, and puts a relay for the protocol before the server.
// url makes the URL of a path on the server at addr, as peer.Server.URL has it, the zero URL for what the server does not
// serve.
func (e *Env) Serve(t testing.TB, name, protocol string, url func(addr string, path []string) locator.URL) *Served {
	t.Helper()
	// "incoming" is the folder that the other tests leave alone.
	s := &Served{prefix: []string{"incoming", "schemetest-" + name}, url: url}
	s.dir = filepath.Join(e.Tree, filepath.Join(s.prefix...))
	if err := s.plant(); err != nil {
		t.Fatalf("peers: planting the common tree: %v", err)
	}
	var err error
	if s.Relay, err = NewRelay(e.Addr(t, name), protocol); err != nil {
		t.Fatalf("peers: %v", err)
	}
	return s
}

// plant writes what is not there yet and empties the folder for writing. The tree stays: it is the same for all tests.
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
	return os.Chmod(drop, 0o777) // whatever the umask
}

func (s *Served) disk(path []string) string { return filepath.Join(s.dir, filepath.Join(path...)) }

// URL follows peer.Server.
func (s *Served) URL(path ...string) locator.URL {
	return s.url(s.Addr(), append(append([]string(nil), s.prefix...), path...))
}

// Misbehave follows peer.Server: a real server does only what it does.
func (s *Served) Misbehave(peer.Fault) {}

// File follows peer.Server.
func (s *Served) File(path ...string) ([]byte, bool) {
	data, err := os.ReadFile(s.disk(path))
	return data, err == nil
}
