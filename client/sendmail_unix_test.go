//go:build unix

package client

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"locator/scheme"
)

// The command gets the recipients after "--", whatever is in them, and the message with local line ends. Its status is the code.
//
// Covers: A8, P2
func TestSendmail(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	program := filepath.Join(dir, "mailer")
	script := "printf '%s\\n' \"$@\" > " + dir + "/args\n[ \"$1\" = early ] || cat > " + dir + "/mail\n[ \"$1\" != killed ] || kill -9 $$\n" +
		"head -c 100000 /dev/zero | tr '\\0' x >&2\nexit ${1:-0}\n"
	if err := os.WriteFile(program, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(word string, to ...string) error {
		return New(Options{Registry: scheme.NewRegistry(), Sendmail: []string{"/bin/sh", program, word}}).sendmail()(t.Context(), to, strings.NewReader("a: b\r\n\r\nx\ry\r\n"))
	}
	if err := run("0", "-oQ/tmp", "a b@c", "$(touch x)@d"); err != nil {
		t.Fatal(err)
	}
	args, _ := os.ReadFile(filepath.Join(dir, "args"))
	mail, _ := os.ReadFile(filepath.Join(dir, "mail"))
	if string(args) != "0\n--\n-oQ/tmp\na b@c\n$(touch x)@d\n" || string(mail) != "a: b\n\nx\ry\n" {
		t.Errorf("arguments %q, message %q", args, mail)
	}
	for word, want := range map[string]scheme.Code{
		"1": scheme.CodeLocal, "64": scheme.CodeLocal, "65": scheme.CodeUnsupported, "67": scheme.CodeNotFound, "68": scheme.CodeUnreachable, "69": scheme.CodeUnavailable,
		"75": scheme.CodeUnavailable, "76": scheme.CodeProtocol, "77": scheme.CodeLoginNeeded, "78": scheme.CodeLocal, "killed": scheme.CodeInDoubt,
	} {
		err := run(word, "a@b")
		if CodeOf(err) != want || len(err.Error()) > 3*maxOutput {
			t.Errorf("%s: code %v, want %v: %.200v", word, CodeOf(err), want, err)
		}
	}
	long := strings.NewReader(strings.Repeat("text\r\n", 100_000))
	if err := runSendmail(t.Context(), []string{"/bin/sh", "-c", "head -c 10; exit 0"}, []string{"a@b"}, long); CodeOf(err) != scheme.CodeInDoubt {
		t.Errorf("success before the end of the message: %v", err)
	}
	if err := runSendmail(t.Context(), []string{"/bin/sh", "-c", "cat > /dev/null; sleep 2 & exit 0"}, []string{"a@b"}, strings.NewReader("a: b\r\n\r\n")); err != nil {
		t.Errorf("a process in the background: %v", err)
	}
	if err := New(Options{Registry: scheme.NewRegistry(), Sendmail: []string{filepath.Join(dir, "none")}}).sendmail()(context.Background(), nil, strings.NewReader("")); CodeOf(err) != scheme.CodeLocal {
		t.Errorf("a program that is not there: %v", err)
	}
}
