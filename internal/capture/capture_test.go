package capture

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// captures is the project's collection.
const captures = "testdata"

// TestEveryCapture reads every capture and checks it against the rules of the format.
func TestEveryCapture(t *testing.T) {
	t.Parallel()
	all, err := ReadDir(os.DirFS(captures), ".")
	if err != nil {
		t.Fatal(err)
	}
	servers := make(map[string]int)
	for _, e := range all {
		for _, key := range []string{"title", "protocol", "transport", "server", "client"} {
			if e.Header[key] == "" {
				t.Errorf("%s: no header %q", e.Name, key)
			}
		}
		if len(e.Sent()) == 0 {
			t.Errorf("%s: the client sent nothing", e.Name)
		}
		for _, m := range e.Messages {
			if m.Text == "" {
				continue
			}
			if text, err := strconv.Unquote(m.Text); err != nil || text != string(m.Data) && (e.Header["transport"] != "udp" || !strings.HasSuffix(string(m.Data), text)) {
				t.Errorf("%s:%d: the comment %s does not match the bytes %q (%v)", e.Name, m.Line, m.Text, m.Data, err)
			}
		}
		folder, _, _ := strings.Cut(strings.TrimPrefix(e.Name, "gopher/"), "/")
		servers[folder]++
	}
	want := map[string]int{"umn-2.3.0": 67, "umn-3.0.5": 67, "pygopherd": 26, "gophernicus": 22, "wais": 67, "prospero": 171}
	if !reflect.DeepEqual(servers, want) {
		t.Errorf("captures by server: %v, want %v", servers, want)
	}
}

// TestListedRequests compares the requests with the list in the collection's README.
func TestListedRequests(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile(captures + "/gopher/README.md")
	if err != nil {
		t.Fatal(err)
	}
	all, err := ReadDir(os.DirFS(captures), "gopher")
	if err != nil {
		t.Fatal(err)
	}
	requests := make(map[string]string)
	for _, e := range all {
		requests[e.Name] = strconv.Quote(string(e.Sent()))
	}
	folder := ""
	for line := range strings.Lines(string(readme)) {
		line = strings.TrimSuffix(line, "\n")
		if f, ok := strings.CutPrefix(line, "### "); ok {
			folder = f
		}
		file, request, ok := strings.Cut(line, "`: `")
		file, ok2 := strings.CutPrefix(file, "- `")
		if !ok || !ok2 {
			continue
		}
		name := folder + "/" + strings.TrimSuffix(file, ".txt")
		if got, want := requests[name], strings.TrimSuffix(request, "`"); got != want {
			t.Errorf("%s: the request is %s, the README has %s", name, got, want)
		}
		delete(requests, name)
	}
	for name := range requests {
		t.Errorf("%s is not in the README", name)
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	e, err := Read(strings.NewReader("# title: a: b\n# close: server\n\n# text \"A\\r\\n\"\n> 410d0a\n# +0.1s\n< 42\n\n< 43\n> 44"))
	if err != nil {
		t.Fatal(err)
	}
	want := &Exchange{
		Header: map[string]string{"title": "a: b", "close": "server"},
		Messages: []Message{
			{Client: true, Data: []byte("A\r\n"), Text: `"A\r\n"`, Line: 5},
			{Data: []byte("B"), Line: 7},
			{Data: []byte("C"), Line: 9},
			{Client: true, Data: []byte("D"), Line: 10},
		},
	}
	if !reflect.DeepEqual(e, want) {
		t.Errorf("got  %+v\nwant %+v", e, want)
	}
	if got := string(e.Sent()); got != "A\r\nD" {
		t.Errorf("Sent: %q", got)
	}
	if got := string(e.Received()); got != "BC" {
		t.Errorf("Received: %q", got)
	}
}

func TestReadErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in string
		line     int // -1: any, since the scanner reads ahead
	}{
		{"empty", "", 0},
		{"no message", "# title: x\n\n", 2},
		{"header without value", "# title\n> 41\n", 1},
		{"header twice", "# a: 1\n# a: 2\n> 41\n", 2},
		{"other line", "# a: 1\n\n> 41\nhello\n", 4},
		{"no octets", "> \n", 1},
		{"no blank", ">41\n", 1},
		{"odd digits", "> 411\n", 1},
		{"upper case", "> 4A\n", 1},
		{"not hex", "> 4g\n", 1},
		{"CR at the end", "> 41\r\n", 1},
		{"line too long", "> 41\n> " + strings.Repeat("4", maxLine) + "\n", 2},
		{"file too long", "> 41\n" + strings.Repeat("\n", maxFile), -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := Read(strings.NewReader(c.in))
			x, ok := errors.AsType[*SyntaxError](err)
			if !ok {
				t.Fatalf("got the error %v, want a *SyntaxError", err)
			}
			if c.line >= 0 && x.Line != c.line {
				t.Errorf("line %d, want %d: %v", x.Line, c.line, err)
			}
		})
	}
}

func TestReadDirErrors(t *testing.T) {
	t.Parallel()
	fsys := fstest.MapFS{
		"none/readme.md": {Data: []byte("x")},
		"bad/x/1.txt":    {Data: []byte("x")},
	}
	if _, err := ReadDir(fsys, "none"); err == nil {
		t.Error("no error for a folder without captures")
	}
	if _, err := ReadDir(fsys, "missing"); err == nil {
		t.Error("no error for a missing folder")
	}
	if _, err := ReadDir(fsys, "bad"); err == nil || !strings.Contains(err.Error(), "bad/x/1.txt: capture: line 1:") {
		t.Errorf("got error %v", err)
	}
}

// FuzzRead checks that a capture can be written and read again with the same result.
func FuzzRead(f *testing.F) {
	f.Add([]byte("# title: a\n\n# text \"A\"\n> 41\n< 42\n"))
	f.Add([]byte("> 4142\n\n\n# x\n< 00ff"))
	f.Add([]byte("#: \n>  41\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		e, err := Read(bytes.NewReader(in))
		if err != nil {
			if _, ok := errors.AsType[*SyntaxError](err); !ok {
				t.Fatalf("got an error of type %T: %v", err, err)
			}
			return
		}
		var out bytes.Buffer
		for key, value := range e.Header {
			fmt.Fprintf(&out, "# %s: %s\n", key, value)
		}
		out.WriteByte('\n')
		last := 0
		for _, m := range e.Messages {
			if len(m.Data) == 0 || m.Line <= last {
				t.Fatalf("message %+v after line %d", m, last)
			}
			last = m.Line
			if m.Text != "" {
				fmt.Fprintf(&out, "# text %s\n", m.Text)
			}
			mark := '<'
			if m.Client {
				mark = '>'
			}
			fmt.Fprintf(&out, "%c %s\n", mark, hex.EncodeToString(m.Data))
		}
		again, err := Read(&out)
		if err != nil {
			t.Fatalf("written down: %v", err)
		}
		for i := range again.Messages {
			again.Messages[i].Line = e.Messages[i].Line
		}
		if !reflect.DeepEqual(e, again) {
			t.Fatalf("got  %+v\nback %+v", e, again)
		}
	})
}
