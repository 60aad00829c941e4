package mailfmt_test

import (
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"locator/client"
	"locator/internal/mailfmt"
	"locator/scheme"
	"locator/scheme/message"
)

// What is as long as a limit is sent, and what is a byte longer is not.
//
// Covers: P6, A8, A9
func TestLimits(t *testing.T) {
	t.Parallel()
	const own = "From: a@b.example\nContent-Type: text/plain\n"
	from := mailfmt.Options{Mail: "a@b.example"}
	attach := func(n int) mailfmt.Options {
		return mailfmt.Options{Mail: "a@b.example", Attach: []mailfmt.Attachment{{Name: strings.Repeat("a", n), Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("x")), nil }}}}
	}
	for _, tt := range []struct {
		name  string
		most  int
		text  func(n int) string
		o     func(n int) mailfmt.Options
		wrong string
	}{
		{"a line that is not encoded", 998, func(n int) string { return own + "\n" + strings.Repeat("x", n) + "\n" }, nil, "longer than 998 bytes"},
		{"the name of a field", 76, func(n int) string { return "Subject: x\n" + strings.Repeat("X", n) + ": x\n\nx\n" }, nil, "is not the name of a header field"},
		{"a word on a line of its own", 998 - len(" "), func(n int) string { return "Subject: x\nX-Y: a " + strings.Repeat("x", n) + "\n\nx\n" }, nil, "longer than a line may be"},
		{"the first word", 998 - len("X-Y: "), func(n int) string { return "Subject: x\nX-Y: " + strings.Repeat("x", n) + "\n\nx\n" }, nil, "longer than a line may be"},
		{"the name of an attachment", 255, nil, attach, "1 to 255 bytes"},
		{"a message-id in news", 250, func(n int) string {
			return "Subject: x\nNewsgroups: a.b\nMessage-ID: <" + strings.Repeat("a", n-len("<@b>")) + "@b>\n\nx\n"
		}, func(int) mailfmt.Options {
			return mailfmt.Options{Mail: "a@b.example", Draft: &message.Draft{News: true}}
		}, "not a message-id"},
		{"a message-id in mail", 998 - len("Message-ID: "), func(n int) string { return "Message-ID: <" + strings.Repeat("a", n-len("<@b>")) + "@b>\n\nx\n" }, nil, "not a message-id"},
		{"the header", 256<<10 - 1, func(n int) string {
			const first = "Subject: x\n"
			return first + strings.Repeat("X: "+strings.Repeat("x", 60)+"\n", (n-len(first))/64-1) + "X: " + strings.Repeat("x", 64+(n-len(first))%64-5) + "\n\n" + "text\n"
		}, nil, "256 KiB"},
	} {
		for _, n := range []int{tt.most, tt.most + 1} {
			o, text := from, "\nx\n"
			if tt.o != nil {
				o = tt.o(n)
			}
			if tt.text != nil {
				text = tt.text(n)
			}
			m, err := mailfmt.Complete(strings.NewReader(text), o)
			switch {
			case n > tt.most && (client.CodeOf(err) != scheme.CodeUsage || !strings.Contains(err.Error(), tt.wrong)):
				t.Errorf("%s of %d bytes: %v", tt.name, n, err)
			case n == tt.most && err != nil:
				t.Errorf("%s of %d bytes: %v", tt.name, n, err)
			case n == tt.most:
				written(t, m)
			}
		}
	}
	for n, transfer := range map[int]string{998: "", 999: "quoted-printable"} {
		if _, text := complete(t, "\n"+strings.Repeat("x", n)+"\n", from); strings.Contains(text, "quoted-printable") != (transfer != "") {
			t.Errorf("a line of %d bytes: %.400q", n, text)
		}
	}
}

// A field that is made here is folded where its line would be longer than 76 bytes, and not before.
//
// Covers: A8, A9
func TestFold(t *testing.T) {
	t.Parallel()
	for _, subject := range []string{strings.Repeat("words ", 40) + "end", strings.Repeat("x ", 150) + "end", strings.Repeat("xy ", 100) + "end", strings.Repeat("日本語", 40), strings.Repeat("é", 200), strings.Repeat("plain é ", 30) + "end"} {
		_, text := complete(t, "\nx\n", mailfmt.Options{Mail: "a@b.example", Fields: []mailfmt.Field{{"Subject", subject, "--subject"}}})
		_, field, _ := strings.Cut(text, "Subject:")
		lines := strings.Split("Subject:"+field, "\r\n")
		for i, line := range lines[:len(lines)-1] {
			next := ""
			if folded := lines[i+1]; strings.HasPrefix(folded, " ") {
				next, _, _ = strings.Cut(folded[1:], " ")
			}
			if len(line) > 76 {
				t.Errorf("a line of %d bytes: %q", len(line), line)
			}
			if next == "" {
				break
			}
			if len(line)+1+len(next) <= 76 {
				t.Errorf("%q is folded before %q", line, next)
			}
		}
	}
}

// Each pass over a message closes the attachments that it opens: also one that fails, and that of a reader that is closed early.
//
// Covers: P6
func TestAttachmentsAreClosed(t *testing.T) {
	open, opened := 0, 0
	file := mailfmt.Attachment{Name: "a", Open: func() (io.ReadCloser, error) {
		open++
		opened++
		return closer{strings.NewReader(strings.Repeat("x", 1<<20)), &open}, nil
	}}
	o := mailfmt.Options{Mail: "a@b.example", Attach: []mailfmt.Attachment{file, file}}
	m, whole := complete(t, "\ntext\n", o)
	check := func(what string, want int) {
		t.Helper()
		if open != 0 || opened != want {
			t.Errorf("%s: %d of %d attachments are open, want %d", what, open, opened, want)
		}
		open, opened = 0, 0
	}
	check("a pass", 2)
	full := errors.New("full")
	if _, err := m.WriteTo(failing{full}); !errors.Is(err, full) {
		t.Error(err)
	}
	before := runtime.NumGoroutine()
	open, opened = 0, 0
	const n = 50
	for range n {
		r := m.Reader()
		if _, err := io.ReadFull(r, make([]byte, len(whole)/4)); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Seek(0, io.SeekStart); err != nil { // a new pass
			t.Fatal(err)
		}
		if _, err := io.ReadFull(r, make([]byte, len(whole)/4)); err != nil {
			t.Fatal(err)
		}
		r.Close()
	}
	check("readers that are closed early", 2*n)
	if now := runtime.NumGoroutine(); now > before+n/2 {
		t.Errorf("%d goroutines, %d before", now, before)
	}
	for name, r := range map[string]io.Reader{"fails at once": failing{full}, "fails later": io.MultiReader(strings.NewReader("x"), failing{full})} {
		bad := mailfmt.Attachment{Name: "a", Open: func() (io.ReadCloser, error) {
			open++
			opened++
			return closer{r, &open}, nil
		}}
		m, err := mailfmt.Complete(strings.NewReader("\ntext\n"), mailfmt.Options{Mail: "a@b.example", Attach: []mailfmt.Attachment{bad}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.WriteTo(io.Discard); !errors.Is(err, full) {
			t.Errorf("%s: %v", name, err)
		}
		check(name, 1)
	}
}

// closer counts how many files are open.
type closer struct {
	io.Reader
	open *int
}

// Close implements io.Closer.
func (c closer) Close() error { *c.open--; return nil }

// failing is a reader and writer that fails.
type failing struct{ err error }

// Read implements io.Reader.
func (f failing) Read([]byte) (int, error) { return 0, f.err }

// Write implements io.Writer.
func (f failing) Write([]byte) (int, error) { return 0, f.err }
