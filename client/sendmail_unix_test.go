//go:build unix

package client

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"locator/scheme"
)

// The command gets the recipients after "--", whatever is in them, and the message with local line
// ends. Its status is the code.
//
// Covers: A8, P2, T136, T137, T140
func TestSendmail(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	program := filepath.Join(dir, "mailer")
	script := "printf '%s\\n' \"$@\" > " + dir + "/args\n[ \"$1\" = early ] || cat > " + dir + "/mail\n[ \"$1\" != killed ] || kill -9 $$\n" +
		"head -c 100000 /dev/zero | tr '\\0' x >&2\nexit ${1:-0}\n"
	if err := os.WriteFile(program, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	passed := 0
	pass := func() error { passed++; return nil }
	run := func(word string, to ...string) error {
		return Sendmail([]string{"/bin/sh", program, word, "-i"})(t.Context(), "me@b", to, strings.NewReader("a: b\r\n\r\nx\ry\r\n"), pass)
	}
	if err := run("0", "-oQ/tmp", "a b@c", "$(touch x)@d"); err != nil {
		t.Fatal(err)
	}
	args, _ := os.ReadFile(filepath.Join(dir, "args"))
	mail, _ := os.ReadFile(filepath.Join(dir, "mail"))
	if passed != 1 || string(args) != "0\n-i\n--\n-oQ/tmp\na b@c\n$(touch x)@d\n" || string(mail) != "a: b\n\nx\ry\n" {
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
	if err := runSendmail(t.Context(), []string{"/bin/sh", "-c", "head -c 10; exit 0", "-i"}, "me@b", []string{"a@b"}, long, pass); CodeOf(err) != scheme.CodeInDoubt {
		t.Errorf("success before the end of the message: %v", err)
	}
	if err := runSendmail(t.Context(), []string{"/bin/sh", "-c", "cat > /dev/null; sleep 2 & exit 0", "-i"}, "me@b", []string{"a@b"}, strings.NewReader("a: b\r\n\r\n"), pass); err != nil {
		t.Errorf("a process in the background: %v", err)
	}
	if err := Sendmail([]string{filepath.Join(dir, "none")})(context.Background(), "me@b", nil, strings.NewReader(""), pass); CodeOf(err) != scheme.CodeLocal {
		t.Errorf("a program that is not there: %v", err)
	}
}

// Programs that are known to take the options of sendmail get -i and -f, unless they have them.
// Others get what the user wrote.
//
// Covers: A8
func TestSendmailOptions(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"/usr/sbin/sendmail":                      "/usr/sbin/sendmail -i -f me@b",
		"/usr/sbin/sendmail.postfix -v":           "/usr/sbin/sendmail.postfix -v -i -f me@b",
		"sendmail -i":                             "sendmail -i -f me@b",
		"sendmail -oi -fother@b":                  "sendmail -oi -fother@b",
		"sendmail -f other@b":                     "sendmail -f other@b -i",
		"sendmail -r other@b":                     "sendmail -r other@b -i",
		"msmtp -a work":                           "msmtp -a work -i -f me@b",
		"/usr/bin/msmtp --read-envelope-from":     "/usr/bin/msmtp --read-envelope-from -i",
		"msmtp --from=other@b":                    "msmtp --from=other@b -i",
		"exim4":                                   "exim4 -i -f me@b",
		"nullmailer-inject -h":                    "nullmailer-inject -h -f me@b",
		"/home/me/bin/mailer":                     "/home/me/bin/mailer",
		"/home/me/bin/mailer -i":                  "/home/me/bin/mailer -i",
		"ssh host sendmail":                       "ssh host sendmail",
		"/opt/sendmail/bin/mailer --from=other@b": "/opt/sendmail/bin/mailer --from=other@b",
	} {
		words, readsAll := withOptions(strings.Fields(command), "me@b")
		if got := strings.Join(words, " "); got != want || readsAll != (strings.Contains(want+" ", " -i ") || strings.Contains(want, " -oi ") || strings.HasPrefix(want, "nullmailer")) {
			t.Errorf("%s: %s (%v), want %s", command, got, readsAll, want)
		}
	}
}

// A line with a dot alone does not end the mail: sendmail gets -i, and a command that may stop
// there does not get the mail at all.
//
// Covers: A8, T139
func TestSendmailDot(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	got := filepath.Join(dir, "mail")
	program := filepath.Join(dir, "sendmail") // as that of postfix and exim
	script := "#!/bin/sh\ncase \" $* \" in *' -i '*) cat ;; *) while IFS= read -r line && [ \"$line\" != . ]; do printf '%s\\n' \"$line\"; done ;; esac > " + got + "\n"
	if err := os.WriteFile(program, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	pass := func() error { return nil }
	text := "a: b\r\n\r\nbefore\r\n.\r\nafter\r\n"
	if err := runSendmail(t.Context(), []string{program}, "me@b", []string{"a@b"}, strings.NewReader(text), pass); err != nil {
		t.Error(err)
	}
	if mail, _ := os.ReadFile(got); string(mail) != strings.ReplaceAll(text, "\r\n", "\n") {
		t.Errorf("the command got %q", mail)
	}
	os.Remove(got)
	for _, part := range []int{1, 3, 100} { // the size of the writes does not matter
		err := runSendmail(t.Context(), []string{"/bin/sh", program}, "me@b", []string{"a@b"}, &pieces{text, part}, pass)
		if _, started := os.Stat(got); CodeOf(err) != scheme.CodeUnsupported || started == nil {
			t.Errorf("a command that may stop at the dot: %v, started %v", err, started == nil)
		}
	}
	for _, text := range []string{"a: b\r\n\r\n..\r\n", "a: b\r\n\r\n.x\r\n", "a: b\r\n\r\nx.\r\n", "a: b\r\n\r\n."} {
		if err := runSendmail(t.Context(), []string{"/bin/sh", program}, "me@b", []string{"a@b"}, &pieces{text, 3}, pass); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// pieces is a message that is written in pieces of n bytes.
type pieces struct {
	text string
	n    int
}

func (p *pieces) WriteTo(w io.Writer) (int64, error) {
	for rest := p.text; rest != ""; rest = rest[min(p.n, len(rest)):] {
		if _, err := io.WriteString(w, rest[:min(p.n, len(rest))]); err != nil {
			return 0, err
		}
	}
	return int64(len(p.text)), nil
}

// A command that has got a part of a message is ended before it can take that for the whole: the
// source fails, or the message must not pass.
//
// Covers: A8
func TestSendmailPart(t *testing.T) {
	t.Parallel()
	done := filepath.Join(t.TempDir(), "done")
	bad := errors.New("bad disk")
	for what, run := range map[string]func([]string) error{
		"source": func(c []string) error {
			return runSendmail(t.Context(), c, "me@b", nil, io.WriterTo(brokenMessage{bad}), func() error { return nil })
		},
		"pass": func(c []string) error {
			return runSendmail(t.Context(), c, "me@b", nil, strings.NewReader("a: b\r\n\r\n"), func() error { return bad })
		},
	} {
		err := run([]string{"/bin/sh", "-c", "cat > /dev/null; touch " + done, "-i"})
		if _, ended := os.Stat(done); ended == nil || CodeOf(err) != scheme.CodeLocal || !errors.Is(err, bad) {
			t.Errorf("%s: the command ended by itself: %v, %v", what, ended == nil, err)
		}
	}
}

// brokenMessage is a message that can be read in part.
type brokenMessage struct{ err error }

func (m brokenMessage) WriteTo(w io.Writer) (int64, error) {
	n, _ := io.WriteString(w, "a: b\r\n\r\nhalf")
	return int64(n), m.err
}
