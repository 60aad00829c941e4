package outbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"locator/scheme"
)

// inDoubt returns the file of a message whose sender was stopped after the point of no return.
func inDoubt(t testing.TB, b *Outbox) (id string, text []byte) {
	t.Helper()
	e := addTo(t, b, note(t, 1))
	func() {
		defer func() { recover() }()
		b.Send(t.Context(), &server{during: func() { panic(crashed{}) }}, e.ID, SendOptions{})
	}()
	wantState(t, b, e.ID, InDoubt)
	text, err := os.ReadFile(filepath.Join(b.Dir(), e.ID+suffix))
	if err != nil {
		t.Fatal(err)
	}
	return e.ID, text
}

// rewrite replaces a file. A file that is cut to zero instead would be written to disk at once
// (ext4).
func rewrite(t *testing.T, name string, text []byte) {
	t.Helper()
	os.Remove(name)
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// A wrong byte anywhere in the file of a message that is in doubt never makes it a message that is
// sent by itself. The file is reported and left alone.
//
// Covers: O1, T45
func TestWrongByte(t *testing.T) {
	t.Parallel()
	b := openBox(t, t.TempDir()+"/box", Options{})
	id, text := inDoubt(t, b)
	name := filepath.Join(b.Dir(), id+suffix)
	damaged := 0
	for i := range text {
		for _, c := range []byte{text[i] ^ 1, text[i] ^ 0x80, '\n', 0} {
			wrong := []byte(string(text))
			if wrong[i] = c; c == text[i] {
				continue
			}
			rewrite(t, name, wrong)
			s := &server{}
			_, err := b.Send(t.Context(), s, id, SendOptions{})
			_, err2 := b.Send(t.Context(), s, id, SendOptions{InDoubt: true})
			if err == nil || len(s.delivered) > 0 && err2 != nil {
				t.Fatalf("byte %d is %q: %v, %v, delivered %v", i, c, err, err2, s.delivered)
			}
			for content := range s.delivered {
				if content != string(note(t, 1).Content) {
					t.Fatalf("byte %d is %q: delivered %q", i, c, content)
				}
			}
			if err2 != nil {
				damaged++
				if now, _ := os.ReadFile(name); string(now) != string(wrong) {
					t.Fatalf("byte %d is %q: the damaged file was changed to %q", i, c, now)
				}
			}
		}
	}
	if damaged < len(text) {
		t.Errorf("damage was found only %d times in %d bytes", damaged, len(text))
	}
}

// A file that is cut behind the line that begins an attempt is in doubt, and one that is cut in the
// message is reported. A cut between the two leaves what a crash before the attempt leaves: the
// whole message, which was not sent.
//
// Covers: O1, T45
func TestCut(t *testing.T) {
	t.Parallel()
	b := openBox(t, t.TempDir()+"/box", Options{})
	id, text := inDoubt(t, b)
	name := filepath.Join(b.Dir(), id+suffix)
	content := string(note(t, 1).Content)
	message := strings.Index(string(text), content) + len(content)
	begun := strings.LastIndex(strings.TrimSuffix(string(text), "\n"), "\n") + 1 // of the line "committed"
	for i := range text {
		rewrite(t, name, text[:i])
		s := &server{}
		_, err := b.Send(t.Context(), s, id, SendOptions{})
		want := scheme.CodeLocal
		switch {
		case i > begun:
			want = scheme.CodeInDoubt
		case i > message:
			want = scheme.CodeOK
		}
		if code(err) != want || len(s.delivered) > 0 && (want != scheme.CodeOK || s.delivered[content] != 1) {
			t.Errorf("cut to %d of %d bytes: %v, delivered %v; want %v", i, len(text), err, s.delivered, want)
		}
	}
}

// Files that are not messages are reported, each for its reason, and are left alone.
//
// Covers: O1, T45
func TestProblems(t *testing.T) {
	t.Parallel()
	b := openBox(t, t.TempDir()+"/box", Options{})
	_, text := inDoubt(t, b)
	line := func(s string) string { return string(text[:len(magic)+2]) + s }
	for name, content := range map[string]string{
		"notes.txt":       "hello",
		"ABC.mail":        "hello",
		"aaaaaaaaaa.mail": "hello\n",
		"aaaaaaaaab.mail": "",
		"aaaaaaaaac.mail": magic + "2\n" + string(text[len(magic)+2:]),
		"aaaaaaaaad.mail": string(text),
		"aaaaaaaaae.mail": line(""),
		"aaaaaaaaaf.mail": line(strings.Repeat("x", maxLine+1)),
		"aaaaaaaaag.mail": line("00000000 {}\n"),
		"aaaaaaaaah.mail": magic + "x\n",
	} {
		if err := os.WriteFile(filepath.Join(b.Dir(), name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(b.Dir(), "aaaaaaaaak.mail"), 0o700); err != nil {
		t.Fatal(err)
	}
	entries, problems, err := b.Entries()
	if err != nil || len(entries) != 1 {
		t.Fatalf("%d entries, %v", len(entries), err)
	}
	got := make(map[string]string)
	for _, p := range problems {
		got[p.Name] = p.Err.Error()
	}
	for name, want := range map[string]string{
		"notes.txt": "is not a message of an outbox", "ABC.mail": "is not a message of an outbox", "aaaaaaaaaa.mail": "is not a message of an outbox", "aaaaaaaaab.mail": "is damaged",
		"aaaaaaaaac.mail": "newer version", "aaaaaaaaad.mail": "is damaged", "aaaaaaaaae.mail": "is damaged", "aaaaaaaaaf.mail": "is damaged", "aaaaaaaaag.mail": "is damaged",
		"aaaaaaaaah.mail": "is not a message of an outbox", "aaaaaaaaak.mail": "is not a regular file",
	} {
		if !strings.Contains(got[name], want) {
			t.Errorf("%s: %q, want %q", name, got[name], want)
		}
		delete(got, name)
	}
	if len(got) > 0 {
		t.Errorf("also reported: %v", got)
	}
	for _, id := range []string{"aaaaaaaaac", "aaaaaaaaad", "aaaaaaaaak"} {
		_, err := b.Send(t.Context(), &server{}, id, SendOptions{InDoubt: true})
		wantCode(t, err, scheme.CodeLocal)
		wantCode(t, b.Drop(id), scheme.CodeLocal)
		if _, err := os.Stat(filepath.Join(b.Dir(), id+suffix)); err != nil {
			t.Error(err)
		}
	}
}

// A message that was sent to a server again and again has a bounded file.
//
// Covers: T49
func TestTooManyEvents(t *testing.T) {
	t.Parallel()
	b := openBox(t, t.TempDir()+"/box", Options{})
	m := note(t, 1)
	m.Recipients = nil
	for n := range maxRecipients {
		m.Recipients = append(m.Recipients, fmt.Sprintf("%0600d@example.org", n))
	}
	e := addTo(t, b, m)
	s := &server{before: scheme.Fail(scheme.CodeUnreachable, "down")}
	for range 100 {
		if _, err := b.Send(t.Context(), s, e.ID, SendOptions{}); code(err) == scheme.CodeLocal {
			if in, err := os.Stat(filepath.Join(b.Dir(), e.ID+suffix)); err != nil || in.Size() > maxLog {
				t.Errorf("%v, %v", in, err)
			}
			if got := wantState(t, b, e.ID, Queued); len(got.History) > maxHistory {
				t.Errorf("%d events", len(got.History))
			}
			return
		} else if errors.Is(err, ErrBusy) {
			t.Fatal(err)
		}
	}
	t.Error("the file grows without end")
}

// Any content of a file gives an entry or an error, and no state in which a message that may have
// been sent is sent by itself.
//
// Covers: T45
func FuzzFile(f *testing.F) {
	b := openBox(f, f.TempDir()+"/box", Options{})
	id, text := inDoubt(f, b)
	f.Add(text)
	f.Add(text[:len(text)-1])
	f.Add(append(text, "x"...))
	f.Add([]byte(magic + "1\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		name := filepath.Join(b.Dir(), id+suffix)
		rewrite(t, name, data)
		e, err := b.Entry(id)
		if err != nil {
			if now, _ := os.ReadFile(name); string(now) != string(data) {
				t.Error("a damaged file was changed")
			}
			return
		}
		if e.Size < 0 || e.Size > int64(len(data)) || len(e.History) == 0 || len(e.History) > maxHistory {
			t.Errorf("%+v", e)
		}
		if strings.Contains(string(data), `"committed"`) && strings.HasPrefix(string(data), string(text)) && e.State == Queued {
			t.Errorf("%+v", e)
		}
	})
}
