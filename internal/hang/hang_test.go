package hang

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// A test that hangs ends its binary with a message that names the test. A test that ends in time is
// not affected.
func TestWithin(t *testing.T) {
	t.Parallel()
	if os.Getenv("LOCATOR_HANG") != "" {
		t.Run("loop", func(t *testing.T) {
			Within(t, 50*time.Millisecond)
			select {}
		})
	}
	t.Run("short", func(t *testing.T) { Within(t, time.Hour) })
	cmd := exec.Command(os.Args[0], "-test.run=^TestWithin$", "-test.timeout=1m")
	cmd.Env = append(os.Environ(), "LOCATOR_HANG=1")
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "TestWithin/loop has not ended after 50ms") {
		t.Errorf("%v: %s", err, out)
	}
}
