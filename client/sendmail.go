package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"locator/scheme"
	"locator/wire"
)

// maxOutput bounds how much of the output of a command is kept for an error, in bytes.
const maxOutput = 2 << 10

// exits is the table of the exit statuses of a sendmail command (sysexits.h).
var exits = map[int]struct {
	code scheme.Code
	text string
}{
	65: {scheme.CodeUnsupported, "it does not accept the message"},
	67: {scheme.CodeNotFound, "it knows no such recipient"},
	68: {scheme.CodeUnreachable, "it does not find the host of a recipient"},
	69: {scheme.CodeUnavailable, "its service is not available"},
	75: {scheme.CodeUnavailable, "it cannot send now; try again later"},
	76: {scheme.CodeProtocol, "the mail server violated the protocol"},
	77: {scheme.CodeLoginNeeded, "it does not permit this"},
}

// Sendmail returns a function that sends a message by a command, with its arguments, for the
// settings of package mailto. It returns nil if command is empty. The command gets the recipients
// as its last arguments, after "--", and the message as its input. A program that is called
// sendmail, msmtp, exim, ssmtp or dma also gets the options -i and -f, unless command has them.
func Sendmail(command []string) func(ctx context.Context, from string, to []string, message io.WriterTo, pass func() error) error {
	if len(command) == 0 {
		return nil
	}
	return func(ctx context.Context, from string, to []string, message io.WriterTo, pass func() error) error {
		return runSendmail(ctx, command, from, to, message, pass)
	}
}

// runSendmail runs a command with the recipients as its last arguments, after "--", and the message
// with local line ends as its input. No shell is involved.
func runSendmail(ctx context.Context, command []string, from string, to []string, message io.WriterTo, pass func() error) error {
	shown := wire.TextLine(command[0])
	words, readsAll := withOptions(command, from)
	if !readsAll {
		var check dotFinder
		if _, err := message.WriteTo(&check); err != nil {
			return err
		}
		if check.found {
			return scheme.Fail(scheme.CodeUnsupported, "the message has a line with a dot alone, where the mail command %s may stop reading; if it knows the option -i, add that to the command", shown)
		}
	}
	cmd := exec.CommandContext(ctx, words[0], slices.Concat(words[1:], []string{"--"}, to)...)
	var output headWriter
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &output, &output, time.Second
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return scheme.Fail(scheme.CodeLocal, "cannot run the mail command %s: %w", shown, err)
	}
	_, unread := message.WriteTo(&localLines{w: in})
	if unread == nil {
		unread = pass()
	}
	if unread == nil {
		unread = in.Close()
	} else { // without the end of its input it may still take what it has
		_ = cmd.Process.Kill() // it may have ended
		in.Close()
	}
	err = cmd.Wait()
	status := cmd.ProcessState.ExitCode()
	known, ok := exits[status]
	reply := wire.Escape(strings.Join(strings.Fields(output.b.String()), " "))
	if reply == "" && status > 0 { // the status is an answer, too
		reply = fmt.Sprintf("exit status %d", status)
	}
	switch {
	case status == 0 && unread == nil: // err may be that a process it left behind still has its output open
		return nil
	case status == 0:
		return scheme.Replied(scheme.CodeInDoubt, reply, "the mail command %s ended with status 0 before it had read the message; it may have sent a part: %w", shown, unread)
	case ok:
		return scheme.Replied(known.code, reply, "the mail command %s ended with status %d: %s", shown, status, known.text)
	case status > 0:
		return scheme.Replied(scheme.CodeLocal, reply, "the mail command %s ended with status %d", shown, status)
	case unread != nil:
		if e, ok := errors.AsType[*scheme.Error](unread); ok {
			return e
		}
		return scheme.Replied(scheme.CodeLocal, reply, "the mail command %s did not read the message: %w", shown, unread)
	}
	return scheme.Replied(scheme.CodeInDoubt, reply, "the mail command %s had the message and was ended; it may have taken it: %w", shown, err)
}

// mailPrograms are the programs that take the options -i and -f of sendmail. injectors take -f
// alone, since no line ends their input early.
var (
	mailPrograms = []string{"sendmail", "msmtp", "exim", "exim4", "ssmtp", "dma"}
	injectors    = []string{"nullmailer-inject", "qmail-inject"}
)

// withOptions adds -i to a command, so that no line ends its input early, and -f with the sender,
// to whom reports about a failed delivery go. It adds neither to a program that is not known, which
// may take them for something else, nor what the command has already. readsAll reports whether the
// command reads its input to the end.
func withOptions(command []string, from string) (words []string, readsAll bool) {
	name, _, _ := strings.Cut(filepath.Base(command[0]), ".") // such as sendmail.postfix
	words = slices.Clone(command)
	hasSender := slices.ContainsFunc(command[1:], func(word string) bool {
		return slices.ContainsFunc([]string{"-f", "-r", "--from", "--read-envelope-from", "--auto-from"}, func(option string) bool { return strings.HasPrefix(word, option) })
	})
	readsAll = slices.Contains(command[1:], "-i") || slices.Contains(command[1:], "-oi") || slices.Contains(injectors, name)
	if !readsAll && slices.Contains(mailPrograms, name) {
		words, readsAll = append(words, "-i"), true
	}
	if !hasSender && (slices.Contains(mailPrograms, name) || slices.Contains(injectors, name)) {
		words = append(words, "-f", from)
	}
	return words, readsAll
}

// headWriter keeps the beginning of what is written. It has no ReadFrom, which would keep all.
type headWriter struct{ b bytes.Buffer }

// Write implements io.Writer.
func (h *headWriter) Write(p []byte) (int, error) {
	h.b.Write(p[:min(len(p), max(0, maxOutput-h.b.Len()))])
	return len(p), nil
}

// dotFinder looks for a line with a dot alone in the message that is written to it.
type dotFinder struct {
	found bool
	end   []byte // of what was written
}

// Write implements io.Writer.
func (d *dotFinder) Write(p []byte) (int, error) {
	const line = "\n.\r\n"
	text := append(d.end, p...)
	d.found = d.found || bytes.Contains(text, []byte(line))
	d.end = slices.Clone(text[max(0, len(text)-len(line)+1):])
	return len(p), nil
}

// localLines writes lines that end in CR LF with the line ends that commands expect.
type localLines struct {
	w  io.Writer
	cr bool // the last byte was a CR, which is not written yet
}

// Write implements io.Writer.
func (l *localLines) Write(p []byte) (int, error) {
	out := make([]byte, 0, len(p)+1)
	for _, c := range p {
		if l.cr && c != '\n' {
			out = append(out, '\r')
		}
		if l.cr = c == '\r'; !l.cr {
			out = append(out, c)
		}
	}
	if _, err := l.w.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}
