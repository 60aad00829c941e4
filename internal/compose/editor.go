package compose

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"locator/client"
	"locator/internal/ctxio"
	"locator/internal/mailfmt"
	"locator/scheme"
	"locator/scheme/message"
	"locator/wire"
)

// Editor runs the user's editor.
type Editor struct {
	Command  string // for a shell; "" means vi, or notepad on Windows
	In       io.Reader
	Out, Err io.Writer
	// Kept is called with the name of the file that keeps a text that was not sent.
	Kept func(name string)
}

// EditorCommand returns the command of the editor that the environment names.
func EditorCommand(getenv func(string) string) string {
	return cmp.Or(getenv("VISUAL"), getenv("EDITOR"))
}

// Edit lets the user write a message with an editor, and calls send with it. Nothing is sent if the
// user leaves it as it is or deletes all of it. If send fails, the text is kept; it is what was
// sent if that is in doubt.
func (ed *Editor) Edit(ctx context.Context, in io.Reader, o mailfmt.Options, send func(mailfmt.Options, *os.File) (*mailfmt.Message, error)) error {
	template, err := mailfmt.Template(in, o)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "locator-") // of this user alone, with the copies that editors make
	if err != nil {
		return scheme.Fail(scheme.CodeLocal, "cannot make a folder for the text: %w", noTempDir(err))
	}
	name := filepath.Join(dir, "message.eml")
	if err := os.WriteFile(name, []byte(template), 0o600); err != nil {
		os.RemoveAll(dir)
		return scheme.Fail(scheme.CodeLocal, "cannot write the text: %w", err)
	}
	keep := func(err error) error {
		ed.Kept(name)
		return err
	}
	runErr := ed.run(name)
	text, err := os.ReadFile(name)
	switch {
	case err != nil:
		return keep(scheme.Fail(scheme.CodeLocal, "cannot read the text: %w", err))
	case string(text) == template || len(bytes.TrimSpace(text)) == 0:
		os.RemoveAll(dir)
		if runErr != nil {
			return runErr
		}
		return scheme.Fail(scheme.CodeUsage, "the message was not written: nothing is sent")
	case runErr != nil:
		return keep(runErr)
	case ctx.Err() != nil:
		return keep(context.Cause(ctx))
	}
	h, err := ctxio.OpenFile(ctx, name, os.O_RDONLY)
	if err != nil {
		return keep(scheme.Fail(scheme.CodeLocal, "cannot read the text: %w", err))
	}
	defer h.Close()
	d := *o.Draft
	d.Body, d.Quote, d.Header = "", "", edited(o.Draft)
	o.Draft, o.Fields = &d, nil
	m, err := send(o, h)
	if err != nil {
		if code := client.CodeOf(err); m != nil && (code == scheme.CodeInDoubt || code == scheme.CodeInterrupted) {
			saveMessage(m, name)
		}
		return keep(err)
	}
	os.RemoveAll(dir)
	return nil
}

// edited returns the fields that a text must agree with after the user has edited the others: the
// newsgroup of the URL.
func edited(d *message.Draft) (fields []message.Field) {
	for _, f := range d.Header {
		if d.Answers == "" && strings.EqualFold(f.Name, "Newsgroups") {
			fields = append(fields, f)
		}
	}
	return fields
}

// saveMessage replaces a text by the message that was made of it. The text stays if that fails.
func saveMessage(m *mailfmt.Message, name string) {
	h, err := os.CreateTemp(filepath.Dir(name), "sent-")
	if err != nil {
		return
	}
	_, err = m.WriteTo(h)
	if e := h.Close(); err == nil && e == nil {
		_ = os.Rename(h.Name(), name)
	}
}

// run runs the editor and waits for its end. An interrupt is for the editor to handle.
func (ed *Editor) run(name string) error {
	editor := ed.Command
	var cmd *exec.Cmd
	if runtime.GOOS == "windows" {
		words := append(strings.Fields(editor), name)
		if editor == "" {
			words = []string{"notepad", name}
		}
		cmd = exec.Command(words[0], words[1:]...)
	} else {
		if editor == "" {
			editor = "vi"
		}
		cmd = exec.Command("/bin/sh", "-c", editor+` "$@"`, editor, name)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = ed.In, ed.Out, ed.Err
	if err := cmd.Run(); err != nil {
		return scheme.Fail(scheme.CodeLocal, "the editor failed (%s); VISUAL and EDITOR name it: %w", wire.TextLine(editor), err)
	}
	return nil
}

// noTempDir returns err, the error of making a temporary folder, with what to do.
func noTempDir(err error) error {
	return fmt.Errorf("%w; TMPDIR names a folder for temporary files", err)
}
