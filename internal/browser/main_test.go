package browser

import (
	"os"
	"slices"
	"sync"
	"testing"
)

// long is true in a long run, which tests more.
var long = os.Getenv("LOCATOR_LONG") != ""

// shared is something that all tests use. The first of them starts it.
type shared[T any] struct {
	mu      sync.Mutex
	started bool
	value   T
	stop    []func()
}

// get returns the value, which start makes once. What start cleans up is cleaned up after the last test.
func (s *shared[T]) get(t testing.TB, start func(testing.TB) T) T {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.started {
		s.value = start(keeper{t, &s.stop}) // it may end the test
		s.started = true
	}
	return s.value
}

func (s *shared[T]) close() {
	for _, stop := range slices.Backward(s.stop) {
		stop()
	}
}

// keeper is a test, but what it cleans up outlives it.
type keeper struct {
	testing.TB
	stop *[]func()
}

func (k keeper) Cleanup(f func()) { *k.stop = append(*k.stop, f) }

// All tests have one browser and one gateway. Each has a tab with cookies and storage of its own.
var (
	chromium shared[*Chromium]
	gateways shared[*site]
)

func TestMain(m *testing.M) {
	code := m.Run()
	chromium.close()
	gateways.close()
	os.Exit(code)
}

// Start returns the browser.
func Start(t testing.TB) *Chromium {
	t.Helper()
	return chromium.get(t, startChromium)
}

// serve returns the gateway.
func serve(t testing.TB) *site {
	t.Helper()
	return gateways.get(t, startSite)
}
