package peers

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// Skip skips a test loudly: beside the usual message a line goes to the file that LOCATOR_SKIPS names, if it is set.
// ./test.sh sets it and repeats the lines at its end, so that nobody takes a test for passed that did not run. Every skip in
// the project goes through here; a test in internal/lint forbids others.
func Skip(t testing.TB, format string, args ...any) {
	t.Helper()
	reason := fmt.Sprintf(format, args...)
	if err := record(os.Getenv("LOCATOR_SKIPS"), t.Name(), reason); err != nil {
		t.Fatalf("peers: a skip could not be recorded: %v", err)
	}
	t.Skipf("SKIPPED: %s", reason)
}

// record appends one line to the file; test binaries run side by side, hence one write each.
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
