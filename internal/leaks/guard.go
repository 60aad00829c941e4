package leaks

import (
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// Guard runs the tests of a package. They fail if they leave open descriptors (files, and so their
// locks, sockets, folders, but no pipes), or goroutines, of which some may wait for a context:
//
//	func TestMain(m *testing.M) { os.Exit(leaks.Guard{M: m}.Run()) }
//
// It looks once, when all tests have ended, so that tests may run in parallel. On systems other
// than Linux it sees goroutines only.
type Guard struct {
	M interface{ Run() int } // usually a *testing.M
}

const (
	grace    = 10 * time.Second // for what ends by itself after the tests
	heapSize = 384 << 20        // the garbage collector, which closes files that are lost, does not run below it
)

// Run returns the status for [os.Exit].
func (g Guard) Run() int {
	percent, limit := debug.SetGCPercent(-1), debug.SetMemoryLimit(heapSize)
	defer debug.SetMemoryLimit(limit)
	defer debug.SetGCPercent(percent)
	files, routines := descriptors(), goroutines()
	status := g.M.Run()
	if status != 0 { // a test that fails may leave things
		return status
	}
	debug.SetMemoryLimit(math.MaxInt64)
	list := remains(files, routines, grace)
	for _, what := range list {
		fmt.Fprintf(os.Stderr, "after all tests, still there: %s\n", what)
	}
	if list != nil {
		fmt.Println("FAIL")
		return 1
	}
	return status
}

// remains waits until nothing is left but files and routines, at most for wait. It returns the
// descriptions of what is.
func remains(files, routines map[string]string, wait time.Duration) (list []string) {
	for end := time.Now().Add(wait); ; time.Sleep(20 * time.Millisecond) {
		list = append(added(files, descriptors()), added(routines, goroutines())...)
		if list == nil || time.Now().After(end) {
			return list
		}
	}
}

// added returns the values that are in after and not in before, in the order of their keys.
func added(before, after map[string]string) (list []string) {
	for _, key := range slices.Sorted(maps.Keys(after)) {
		if _, ok := before[key]; !ok {
			list = append(list, after[key])
		}
	}
	return list
}

// descriptors returns the open descriptors by number and target.
func descriptors() map[string]string {
	const dir = "/proc/self/fd"
	list := make(map[string]string)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return list
	}
	for _, e := range entries {
		target, err := os.Readlink(filepath.Join(dir, e.Name()))
		// The standard library keeps those of its network poller, and pipes between two connections
		// for the next io.Copy.
		if err == nil && !strings.HasPrefix(target, "anon_inode:[event") && !strings.HasPrefix(target, "pipe:") {
			list[e.Name()+" "+target] = fmt.Sprintf("descriptor %s: %s", e.Name(), target)
		}
	}
	return list
}

// goroutines returns the stacks of the goroutines by number, without the caller's and those of the
// standard library that stay.
func goroutines() map[string]string {
	buf := make([]byte, 64<<10)
	n := runtime.Stack(buf, true)
	for n == len(buf) {
		buf = make([]byte, 2*len(buf))
		n = runtime.Stack(buf, true)
	}
	list := make(map[string]string)
	for i, stack := range strings.Split(strings.TrimSpace(string(buf[:n])), "\n\n") {
		if i == 0 || strings.Contains(stack, "os/signal.signal_recv") || strings.Contains(stack, "runtime.ensureSigM") {
			continue
		}
		number, _, _ := strings.Cut(stack, " [")
		list[number] = stack
	}
	return list
}
