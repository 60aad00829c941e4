package console

import (
	"io"
	"os"
	"runtime"
	"strings"

	"golang.org/x/term"

	"locator/scheme"
)

// IsTerminal reports whether a stream is a terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Width returns the columns of a terminal, and 80 if they are not known.
func Width(w io.Writer) int {
	if width, _ := WindowSize(w); width > 0 {
		return width
	}
	return 80
}

// openTerminal opens the controlling terminal.
func openTerminal() (*os.File, error) {
	if runtime.GOOS != "windows" {
		return os.OpenFile("/dev/tty", os.O_RDWR, 0)
	}
	if !IsTerminal(os.Stdin) {
		return nil, os.ErrNotExist
	}
	return os.OpenFile("CON", os.O_RDWR, 0)
}

// WindowSize returns the size of a terminal in characters, 0 if it is not known.
func WindowSize(w io.Writer) (width, height int) {
	f, ok := w.(*os.File)
	if !ok {
		return 0, 0
	}
	width, height, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0, 0
	}
	return width, height
}

// UTF8 reports whether the locale in the environment says that the terminal is in UTF-8.
func UTF8(getenv func(string) string) bool {
	if runtime.GOOS == "windows" {
		return true
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(getenv(name)); v != "" {
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return false
}

// OutputError returns an error of writing the output with the code CodeLocal.
func OutputError(err error) error {
	if err == nil {
		return nil
	}
	return scheme.Fail(scheme.CodeLocal, "writing the output: %w", err)
}
