package peers

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// Skip skips a test and appends the reason to the file that LOCATOR_SKIPS names, if it is set.
// ./test.sh sets it and prints the reasons at its end, so that a skipped test is not taken for a
// passed one. Every skip in the project uses Skip; a test in internal/lint enforces that.
func Skip(t testing.TB, format string, args ...any) {
	t.Helper()
	reason := fmt.Sprintf(format, args...)
	if err := record(os.Getenv("LOCATOR_SKIPS"), t.Name(), reason); err != nil {
		t.Fatalf("peers: cannot record a skip: %v", err)
	}
	t.Skipf("SKIPPED: %s", reason)
}

// LongRun skips a test, which tries what is named, unless LOCATOR_LONG is set, as ./test.sh long
// does.
func LongRun(t testing.TB, name string) {
	t.Helper()
	if os.Getenv("LOCATOR_LONG") == "" {
		Skip(t, "%s is tried in a long run only: LOCATOR_LONG=1", name)
	}
}

// record appends one line to the file in one write, since several test binaries run at the same
// time.
func record(file, test, reason string) error {
	if file == "" {
		return nil
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(test + ": " + strings.Join(strings.Fields(reason), " ") + "\n")
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}
