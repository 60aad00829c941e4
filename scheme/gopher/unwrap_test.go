package gopher

import (
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"locator/scheme"
)

// TestDecode reads items of types 4 and 6, decoded on request, else as text.
//
// Covers: A7
func TestDecode(t *testing.T) {
	t.Parallel()
	hqx, err := os.ReadFile("../../internal/armor/testdata/note.hqx")
	if err != nil {
		t.Fatal(err)
	}
	const uu = "begin 644 hello.gif\r\n#1TE&\r\n`\r\nend\r\n"
	tests := []struct {
		url, reply string
		want       string // "" is the text itself
		size       int64
		attr       string
		notes      int
	}{
		{"gopher://h/6/x", uu + ".\r\n", "GIF", -1, ` type=image/gif [filename "hello.gif"]`, 1},
		{"gopher://h/6/x%09%09+", "+-1\r\n" + uu + ".\r\n", "GIF", -1, ` type=image/gif [filename "hello.gif"]`, 1},
		{"gopher://h/4/x", string(hqx) + ".\r\n", "A note for BinHex.\r", 586, ` type=application/octet-stream size=586 [filename "A note"]`, 2},
		{"gopher://h/9/x", uu, "", 0, ` type=application/octet-stream`, 0},
		{"gopher://h/0/x", uu, "", 0, ` type=text/plain`, 0},
	}
	for _, tt := range tests {
		r := request1(t, tt.url)
		res, err := say(tt.reply).access(t, r)
		if err != nil {
			t.Fatal(err)
		}
		plain := bodyOf(t, res)
		if res, err = say(tt.reply).access(t, r, scheme.AccessOptions{Decode: true}); err != nil {
			t.Errorf("%s: %v", tt.url, err)
			continue
		}
		got := bodyOf(t, res)
		if tt.want == "" && got != plain || !strings.HasPrefix(got, tt.want) || tt.size > 0 && int64(len(got)) != tt.size ||
			attrText(res.Attr) != tt.attr || len(res.Notes) != tt.notes {
			t.Errorf("%s: %q, attributes%s, notes %q", tt.url, got, attrText(res.Attr), res.Notes)
		}
		if res, err = say(tt.reply).access(t, r, scheme.AccessOptions{Decode: true, Raw: scheme.RawAll}); err != nil {
			t.Errorf("%s, raw: %v", tt.url, err)
		} else if got := bodyOf(t, res); !strings.HasPrefix(got, plain[:10]) {
			t.Errorf("%s, raw: %q", tt.url, got)
		}
	}
	for reply, code := range map[string]scheme.Code{
		"no such thing\r\n.\r\n": scheme.CodeProtocol, "begin 644 x\r\n#1TE&\r\n.\r\n": scheme.CodeBroken, "begin 644 x\r\n\x01\r\n": scheme.CodeProtocol, "": scheme.CodeProtocol,
	} {
		s := say(reply)
		res, err := s.access(t, request1(t, "gopher://h/6/x"), scheme.AccessOptions{Decode: true})
		if err == nil {
			_, err = io.Copy(io.Discard, res.Body)
			res.Close()
		}
		if codeOf(err) != code || s.closed != 1 {
			t.Errorf("%q: %v, %d closed; want %v", reply, err, s.closed, code)
		}
	}
}

// TestNoSubmit does not send a filled form if NoSubmit is set.
//
// Covers: A7
func TestNoSubmit(t *testing.T) {
	t.Parallel()
	s := say("+-1\r\n+INFO: 0f\t/f\th\t70\t?\r\n+ASK:\r\n Ask: Name\tnobody\r\n.\r\n")
	r := request1(t, "gopher://h/0/f%09%09+%091%0D%0A+-1%0D%0Ajane%0D%0A.%0D%0A")
	res, err := s.access(t, r, scheme.AccessOptions{NoSubmit: true})
	if err != nil || res.Kind != scheme.KindForm || res.Form.Fields[0].Default != "jane" {
		t.Fatalf("%+v, %v", res, err)
	}
	if got := s.requests(); !slices.Equal(got, []string{"/f\t!\r\n"}) {
		t.Errorf("sent %q", got)
	}
}

// TestTold checks the notes about a reply, each of which is reported once.
//
// Covers: A7, P6
func TestTold(t *testing.T) {
	t.Parallel()
	long := "0" + strings.Repeat("x", 9000) + "\t/x\th\t70\r\n"
	for reply, want := range map[string][]string{
		"0A\t/a\th\t70\r\n.\r\n":                       nil,
		"0A\t/a\th\t70\r\n.\r\n0B\t/b\th\t70\r\n.\r\n": {"the lines go on after an end mark"},
		long + "0A\t/a\th\t70\r\n" + long:              {"a line is longer than 8192 bytes: it is cut there, and others may be"},
	} {
		var told []string
		env := say(reply).env(t)
		env.Note = func(text string) { told = append(told, text) }
		for _, err := range listed(New().List(t.Context(), env, request1(t, "gopher://h/1"), scheme.ListOptions{})) {
			if err != nil {
				t.Error(err)
			}
		}
		if !slices.Equal(told, want) {
			t.Errorf("%.40q: told %q, want %q", reply, told, want)
		}
	}
}

// TestStaysOpen reads from a server that does not close the connection after its end mark, which a
// note reports.
//
// Covers: A7, P6
func TestStaysOpen(t *testing.T) {
	t.Parallel()
	in, out := io.Pipe()
	s := &script{replies: []io.Reader{in}}
	go io.WriteString(out, "0A\t/a\th\t70\r\n.\r\n")
	var told []string
	env := s.env(t)
	env.Note = func(text string) { told = append(told, text) }
	n := 0
	for _, err := range listed((Scheme{grace: time.Millisecond}).List(t.Context(), env, request1(t, "gopher://h/1"), scheme.ListOptions{})) {
		if err != nil {
			t.Error(err)
		}
		n++
	}
	if n != 1 || !slices.Equal(told, []string{"the server did not close the connection after its end mark"}) {
		t.Errorf("%d entries, told %q", n, told)
	}
}
