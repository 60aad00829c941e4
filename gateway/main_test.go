package gateway

import (
	"os"
	"testing"

	"locator/internal/leaks"
)

func TestMain(m *testing.M) { os.Exit(leaks.Guard{M: m}.Run()) }
