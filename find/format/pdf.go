package format

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"time"
)

// Bounds of the command that reads PDF.
const (
	pdfTime    = time.Minute
	pdfText    = 256 << 20 // bytes that it prints
	pdfMessage = 256       // bytes of its messages
)

// pdfCommand is Poppler's pdftotext, from standard input to standard output.
var pdfCommand = []string{"pdftotext", "-enc", "UTF-8", "-", "-"}

// readPDF finds in the text that a command prints. It runs the command itself, not a shell.
func readPDF(s *scanner) error {
	command := s.o.PDF
	if len(command) == 0 {
		command = pdfCommand
	}
	ctx, cancel := context.WithTimeout(s.source.ctx, pdfTime)
	defer cancel()
	in := &pdfInput{r: s.source.r}
	message := &headWriter{room: pdfMessage}
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Stdin, cmd.Stderr, cmd.WaitDelay = in, message, time.Second
	killAll(cmd)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if errors.Is(err, exec.ErrNotFound) {
		if len(s.o.PDF) > 0 {
			return fmt.Errorf("%s, which should read PDF files, is not installed: %w", command[0], err)
		}
		return fmt.Errorf("%s is not installed, and reads PDF files (package poppler-utils of Debian): %w", command[0], err)
	} else if err != nil {
		return fmt.Errorf("cannot run the command that reads PDF: %w", err)
	}
	defer context.AfterFunc(ctx, func() { out.Close() })() // a program that the command has started may keep the other end open
	text := &source{ctx: ctx, r: io.LimitReader(out, pdfText)}
	t := &scanner{o: s.o, find: s.find, yield: s.yield, source: text, in: text, from: asIs{}, position: Extracted}
	t.copyTo(t.text(), text)
	if s.stopped = t.stopped; s.stopped {
		cancel()
	} else if n, _ := io.ReadFull(out, make([]byte, 1)); n > 0 {
		cancel()
		s.note(errors.New("the text of the PDF file is longer than 256 MiB; the rest was not read"))
		_ = cmd.Wait()
		return nil
	}
	err = cmd.Wait()
	switch {
	case s.stopped:
		return nil
	case s.source.ctx.Err() != nil:
		return s.source.ctx.Err()
	case in.failed() != nil:
		return in.failed()
	case ctx.Err() != nil:
		return fmt.Errorf("%s took longer than %v", command[0], pdfTime)
	case err != nil && len(message.line()) > 0:
		return fmt.Errorf("%s: %w: %s", command[0], err, message.line())
	case err != nil:
		return fmt.Errorf("%s: %w", command[0], err)
	}
	return nil
}

// pdfInput is the input of the command. It keeps the error of its reader.
type pdfInput struct {
	r   io.Reader
	mu  sync.Mutex
	err error
}

// Read implements io.Reader.
func (in *pdfInput) Read(p []byte) (int, error) {
	n, err := in.r.Read(p)
	if err != nil && err != io.EOF {
		in.mu.Lock()
		defer in.mu.Unlock()
		in.err = err
	}
	return n, err
}

func (in *pdfInput) failed() error {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.err
}

// headWriter keeps the beginning of what is written.
type headWriter struct {
	text []byte
	room int
}

// Write implements io.Writer.
func (w *headWriter) Write(p []byte) (int, error) {
	n := min(len(p), w.room-len(w.text))
	w.text = append(w.text, p[:n]...)
	return len(p), nil
}

// line returns the first line that is not blank.
func (w *headWriter) line() []byte {
	line, _, _ := bytes.Cut(bytes.TrimSpace(w.text), []byte("\n"))
	return bytes.TrimSpace(line)
}
