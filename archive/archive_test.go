package archive

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"locator/scheme"
	"locator/scheme/message"
)

// article returns a message under a number of a list.
func article(list string, number int64, id, text string) *scheme.Resource {
	res := &scheme.Resource{Body: io.NopCloser(strings.NewReader("Message-ID: <" + id + ">\r\n\r\n" + text)), Position: message.Position{List: list, Number: number, First: number}}
	res.Attr.ID, res.Attr.More = id, []scheme.Attribute{{Name: "Message-ID", Value: "<" + id + ">"}}
	return res
}

// order is the calls of the system that steps reports.
type order []string

func (o *order) add(call, name string) { *o = append(*o, call+" "+name) }

// A message is on disk before the record of it, and a file before its name.
//
// Covers: P4
func TestOrder(t *testing.T) {
	t.Parallel()
	anew := func(name string) []string { return []string{"sync " + name + ".part", "rename " + name, "syncdir ."} }
	for f, want := range map[Format][]string{
		Mbox:  slices.Concat([]string{"write box.state", "sync box.state", "write box", "sync box", "write box.state", "sync box.state", "write box", "sync box"}, anew("box.state")),
		JSONL: slices.Concat([]string{"write box.state", "sync box.state", "write box", "sync box", "write box.state", "sync box.state", "write box", "sync box"}, anew("box.state")),
		Maildir: slices.Concat(
			[]string{"write locator.state", "sync locator.state", "sync tmp/0.A", "rename new/0.A", "syncdir new"},
			[]string{"write locator.state", "sync locator.state", "sync tmp/0.B", "rename new/0.B", "syncdir new"}, anew("locator.state")),
	} {
		var got order
		a, err := Open(filepath.Join(t.TempDir(), "box"), f, Options{Sync: true, step: got.add})
		if err != nil {
			t.Fatal(err)
		}
		if state := want[0][len("write "):]; !slices.Equal(got, anew(state)) {
			t.Errorf("%s: opened by %q", f, got)
		}
		got = nil
		missing := article("h/g", 9, "9@b", "")
		missing.Body = io.NopCloser(brokenReader{})
		if _, err := a.add(missing, "", 0); err == nil || got != nil {
			t.Errorf("%s: a message that cannot be read: %q, %v", f, got, err)
		}
		for n := range int64(2) {
			if _, err := a.add(article("h/g", n+1, fmt.Sprint(n, "@b"), "text\r\n"), "", 0); err != nil {
				t.Fatal(err)
			}
		}
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		for i, x := range got {
			for n, name := range []string{"A", "B"} {
				key := fmt.Sprint(n, "@b")
				x = strings.ReplaceAll(x, (&maildir{}).base(key, &scheme.Resource{}), "0."+name)
			}
			got[i] = x
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n%q, want\n%q", f, got, want)
		}
	}
}

// A message that breaks off leaves nothing behind, also if the next one is shorter.
//
// Covers: A9
func TestArchiveBreaksOff(t *testing.T) {
	t.Parallel()
	for _, f := range []Format{Mbox, JSONL} {
		name := filepath.Join(t.TempDir(), "box")
		a, err := Open(name, f, Options{})
		if err != nil {
			t.Fatal(err)
		}
		torn := article("h/g", 1, "1@b", "")
		torn.Body = io.NopCloser(io.MultiReader(strings.NewReader("Message-ID: <1@b>\r\n\r\n"+strings.Repeat("torn\r\n", 40_000)), brokenReader{}))
		if _, err := a.add(torn, "", 0); err == nil {
			t.Fatal("stored")
		}
		if _, err := a.add(article("h/g", 2, "2@b", "short\r\n"), "", 0); err != nil {
			t.Fatal(err)
		}
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(name); err != nil || len(b) > 300 || !bytes.Contains(b, []byte("2@b")) || bytes.Contains(b, []byte("torn")) {
			t.Errorf("%s: %.300q, %v", f, b, err)
		}
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// killed returns an archive whose run ended in the middle of its second message.
func killed(t *testing.T, f Format) (name string, at int64) {
	t.Helper()
	name = filepath.Join(t.TempDir(), "box")
	a, err := Open(name, f, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for n := range int64(2) {
		if _, err := a.add(article("h/g", n+1, fmt.Sprint(n, "@b"), strings.Repeat("text\r\n", 100)), "", 0); err != nil {
			t.Fatal(err)
		}
	}
	at = a.journal.reread(t).begun.At
	journal, err := os.ReadFile(name + JournalSuffix)
	if err != nil {
		t.Fatal(err)
	}
	a.Close()
	if err := os.WriteFile(name+JournalSuffix, journal, 0o600); err != nil { // the last record is not written
		t.Fatal(err)
	}
	if err := os.Truncate(name, at+300); err != nil {
		t.Fatal(err)
	}
	return name, at
}

// What a killed run has left is removed; what another program has written in its place stays.
//
// Covers: A9, P6
func TestArchiveRewritten(t *testing.T) {
	t.Parallel()
	for _, f := range []Format{Mbox, JSONL} {
		for _, other := range []bool{false, true} {
			name, at := killed(t, f)
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if want = want[:at]; other {
				more := map[Format]string{Mbox: "From other@program Thu Dec  1 12:00:00 1994\nSubject: mine\n\ntext\n\n", JSONL: "{\"other\":true}\n"}
				if want = append(want, more[f]...); os.WriteFile(name, want, 0o600) != nil {
					t.Fatal(err)
				}
			}
			a, err := Open(name, f, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if a.journal.hasID("1@b") || !a.journal.hasID("0@b") {
				t.Errorf("%s, other %v: the incomplete message counts as stored, or the one before does not", f, other)
			}
			if err := a.Close(); err != nil {
				t.Fatal(err)
			}
			if b, _ := os.ReadFile(name); !bytes.Equal(b, want) {
				t.Errorf("%s, other %v: %.300q, want %.300q", f, other, b, want)
			}
		}
	}
}

// An incomplete message behind which another program has written is not taken for a whole one.
//
// Covers: A9
func TestArchiveTornWithin(t *testing.T) {
	t.Parallel()
	name, _ := killed(t, Mbox)
	h, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(h, "\n\nFrom other@program Thu Dec  1 12:00:00 1994\nMessage-ID: <other@b>\n\ntext\n\n")
	h.Close()
	for range 2 {
		a, err := Open(name, Mbox, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !a.journal.hasID("0@b") || a.journal.hasID("1@b") || !a.journal.hasID("other@b") {
			t.Errorf("%d ids", len(a.journal.ids))
		}
		a.Close()
	}
}

// reread reads what the file says.
func (j *Journal) reread(t *testing.T) seen {
	t.Helper()
	h, err := os.OpenFile(filepath.Join(j.f.Dir, j.f.Name), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	other := &Journal{f: j.f, h: h, seen: newSeen()}
	if err := other.read(); err != nil {
		t.Fatal(err)
	}
	return other.seen
}

// The Message-IDs in archives are those of whole messages, not of what stands in their texts.
//
// Covers: A9
func TestArchiveIDs(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 100_000)
	for _, x := range []struct {
		f     Format
		text  string
		wants string
	}{
		{Mbox, "From a Thu\nMessage-ID: <1@b>\n\ntext\n\nFrom a Thu\nMessage-ID: <2@b>\n\n\n", "1@b 2@b"},
		{Mbox, "From a Thu\r\nMessage-ID: <1@b>\r\n\r\ntext\r\n\r\nFrom a Thu\r\nMessage-ID: <2@b>\r\n\r\n\r\n", "1@b 2@b"},
		{Mbox, "From a Thu\nMessage-ID: <1@b>\n\ntext\n\nFrom a Thu\nMessage-ID: <2@b>\n\ntorn", "1@b"},
		{Mbox, "From a Thu\nMessage-ID: <1@b>\n\ntext\n\nFrom a Thu\nMessage-ID: <2@b>\nSub", "1@b"},
		{Mbox, "From a Thu\nMessage-ID: <1@b>\n\nMessage-ID: <no@b>\n>From a\nFrom a\nMessage-ID: <no@b>\n\n", "1@b"},
		{Mbox, "From " + long + "\nX: " + long + "\nMessage-ID: <1@b>\n\n" + long + "\n" + long + "From a\n\nFrom a\nMessage-ID:\n <2@b>\n\n\n", "1@b 2@b"},
		{Mbox, "within a message\n\nFrom a Thu\nMessage-ID: <1@b>\n\n\n", "1@b"},
		{Mbox, "From a Thu\nMessage-ID: <1@b>\nMessage-ID: <2@b>\n\n\n", ""},
		{Mbox, "", ""},
		{JSONL, `{"id":"1@b","header":[{"name":"Message-ID","value":"<1@b>"}],"text":"` + long + `"}` + "\n" + `{"id":"2@b","header":[{"name":"X","value":"],\"text\":\""},{"name":"message-id","value":"x"}],"text":"}` + "\n", "1@b 2@b"},
		{JSONL, `{"id":"1@b","header":[{"name":"Message-ID"}],"text":"torn`, ""},
		{JSONL, `within a line"}` + "\n" + `{"id":"1@b","header":[{"name":"Message-ID"}],"text":""}` + "\n", "1@b"},
		{JSONL, `{"id":"1@b","header":[{"name":"Message-ID"},{"name":"Message-ID"}],"text":""}` + "\n" + `{"id":"2@b","header":[],"text":""}` + "\n", ""},
	} {
		var got []string
		err := formats[x.f].ids(bufio.NewReaderSize(strings.NewReader(x.text), 16), func(id string) {
			if soundID(id) {
				got = append(got, id)
			}
		})
		if err != nil || strings.Join(got, " ") != x.wants {
			t.Errorf("%.100q: %q, %v; want %q", x.text, got, err, x.wants)
		}
	}
}
