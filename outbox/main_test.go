package outbox

import (
	"fmt"
	"os"
	"strconv"
	"testing"

	"locator/internal/leaks"
)

// The test binary is also the program that the crash test kills.
const (
	senderDir    = "LOCATOR_TEST_OUTBOX"
	senderServer = "LOCATOR_TEST_OUTBOX_SERVER"
	senderFirst  = "LOCATOR_TEST_OUTBOX_FIRST"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(senderDir); dir != "" {
		first, _ := strconv.Atoi(os.Getenv(senderFirst))
		if err := sendAll(dir, os.Getenv(senderServer), first); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(leaks.Guard{M: m}.Run())
}
