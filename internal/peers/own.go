package peers

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// stopTime bounds the time to stop servers at the end of a test.
const stopTime = time.Minute

// Own starts servers for one test, with their own tree and ports, and stops them at its end. It is
// for tests that change the tree or kill servers. It skips and fails as [Start] does.
func Own(t testing.TB, names ...string) *Env {
	t.Helper()
	shared := prepare(t, names)
	work := filepath.Dir(shared.Run)
	// A folder beside the shared one, since the users of the servers may not enter t.TempDir.
	dir, err := os.MkdirTemp(filepath.Dir(work), "locator-peers-own-")
	if err != nil {
		t.Fatalf("peers: %v", err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatalf("peers: %v", err)
	}
	if err := os.Symlink(filepath.Join(work, "deb"), filepath.Join(dir, "deb")); err != nil {
		t.Fatalf("peers: %v", err)
	}
	e := &Env{script: shared.script, names: names, offsets: make(map[string]int)}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), stopTime) // the context of the test has ended
		defer cancel()
		if _, err := e.run(ctx, stopTime, append([]string{"stop"}, names...)...); err != nil {
			t.Errorf("peers: %v", err)
		}
	})
	for range 20 {
		e.env = []string{"PEERS_DIR=" + dir, "PEERS_BASE=" + strconv.Itoa(freeBase())}
		if _, err = e.run(t.Context(), startTime, append([]string{"start"}, names...)...); err == nil || !strings.Contains(err.Error(), "is in use") {
			break
		}
	}
	if err == nil {
		var out []byte
		if out, err = e.run(t.Context(), startTime, "env"); err == nil {
			err = e.read(out)
		}
	}
	if err != nil {
		t.Fatalf("peers: %v", err)
	}
	return e
}

// freeBase returns the first of a range of free ports, below those of data connections.
func freeBase() int {
	for {
		base := 22000 + 200*rand.IntN(35)
		free := true
		for _, port := range []int{21, 22, 23, 80} {
			l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", base+port))
			if free = free && err == nil; err == nil {
				l.Close()
			}
		}
		if free {
			return base
		}
	}
}

// Kill kills a server and its child processes.
func (e *Env) Kill(t testing.TB, name string) {
	t.Helper()
	if _, err := e.run(t.Context(), startTime, "stop", name); err != nil {
		t.Fatalf("peers: %v", err)
	}
}

// Restart starts a killed server again at the same address.
func (e *Env) Restart(t testing.TB, name string) {
	t.Helper()
	if _, err := e.run(t.Context(), startTime, "start", name); err != nil {
		t.Fatalf("peers: %v", err)
	}
}
