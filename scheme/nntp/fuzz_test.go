package nntp

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"unicode/utf8"

	"locator"
	"locator/scheme"
	"locator/scheme/internal/dialogue"
	"locator/wire"
)

// FuzzOverview checks that a line of OVER never panics, and that a URL in its entry is valid.
//
// Covers: P6
func FuzzOverview(f *testing.F) {
	f.Add("1\tsubject\tfrom\t1 Dec 1994 12:00:00 GMT\t<a@b>\t<c@d> <e@f>\t100\t7\tXref: a b:1")
	f.Add("1\t=?utf-8?b?w6k=?=\t\t\t<>\t<<>>\t\t")
	f.Add("\t\t\t\t")
	f.Add("")
	for _, scheme := range []string{"nntp://h/g", "news://h/g"} {
		if _, err := newPlace(mustParse(f, scheme)); err != nil {
			f.Fatal(err)
		}
	}
	places := []*place{must(newPlace(mustParse(f, "nntp://h/g"))), must(newPlace(mustParse(f, "news://h/g")))}
	f.Fuzz(func(t *testing.T, line string) {
		r, ok := parseOverview(line)
		for _, p := range places {
			e := r.entry(p, "")
			switch {
			case !ok && (e.Kind != scheme.KindNote || e.Name != line):
				t.Fatalf("%q: %+v", line, e)
			case ok && e.Kind == scheme.KindObject:
				if _, err := locator.Current.Parse(e.URL.Text()); err != nil {
					t.Fatalf("%q: %v", line, err)
				}
			}
			if ok && !utf8.ValidString(e.Name) {
				t.Fatalf("%q: name %q", line, e.Name)
			}
		}
		groupEntry(places[1], line, nil)
	})
}

func mustParse(t testing.TB, text string) locator.URL {
	u, err := locator.Current.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// newTestSession returns a session on a connection that no pool takes back.
func newTestSession(raw net.Conn, env *scheme.Env) *session {
	s := &session{conn: &conn{Conn: &dialogue.Conn{Protocol: protocol, Raw: raw, Wire: wire.NewConn(raw, wire.Options{}), Max: 100}}, env: env, place: &place{}}
	s.lease = dialogue.NewLease(context.Background(), s.Base(), func(bool) { raw.Close() })
	return s
}

func must(p *place, _ error) *place { return p }

// FuzzText checks that a text is what RFC 3977 3.1.1 says, however it is cut, and that its end is
// never missed nor invented.
//
// Covers: P6
func FuzzText(f *testing.F) {
	f.Add([]byte("Subject: a\r\n\r\ntext\r\n..dot\r\n.\r\n"), 7)
	f.Add([]byte(".\r\n"), 1)
	f.Add([]byte("a\n.\r\n.\r\nrest"), 3)
	f.Add([]byte("\x00\r.\r\r\n\n"), 100)
	f.Fuzz(func(t *testing.T, data []byte, size int) {
		want, complete := plainText(data)
		client, server := net.Pipe()
		go func() {
			server.Write(data)
			server.Close()
		}()
		env := &scheme.Env{Trace: &scheme.Trace{}, Limits: scheme.Limits{}.WithDefaults()}
		s := newTestSession(client, env)
		tx := s.newText()
		tx.readHeader(s.Max)
		var got bytes.Buffer
		_, err := io.CopyBuffer(struct{ io.Writer }{&got}, struct{ io.Reader }{tx}, make([]byte, max(1, min(size, 1<<16))))
		if !bytes.Equal(got.Bytes(), want) {
			t.Fatalf("%q: %q, want %q", data, got.Bytes(), want)
		}
		if complete != (err == nil) || !complete && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatalf("%q: complete %v, but %v", data, complete, err)
		}
		if complete == s.Unusable.Load() {
			t.Fatalf("%q: complete %v, unusable %v", data, complete, s.Unusable.Load())
		}
		tx.Close()
	})
}

// plainText is the text in data by the words of the RFC: lines end with CR LF, a dot before a line
// is removed, and a line with a dot alone ends it.
func plainText(data []byte) (text []byte, complete bool) {
	rest := string(data)
	for rest != "" {
		line, after, ok := strings.Cut(rest, "\r\n")
		if ok && line == "." {
			return text, true
		}
		rest = after
		line = strings.TrimPrefix(line, ".")
		text = append(text, line...)
		if ok {
			text = append(text, "\r\n"...)
		}
	}
	return text, false
}

// The parts of long lines do not begin lines.
func TestTextLongLines(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("z", 16<<10) // the size of the buffer
	for _, data := range []string{long + ".\r\n.\r\n", long[1:] + "\r\n.\r\n", long[:len(long)-1] + "\r\n..\r\n.\r\n", long + long + "\r.\r\n.\r\n"} {
		want, _ := plainText([]byte(data))
		client, server := net.Pipe()
		go func() {
			io.WriteString(server, data)
			server.Close()
		}()
		s := newTestSession(client, &scheme.Env{Trace: &scheme.Trace{}})
		got, err := io.ReadAll(s.newText())
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d bytes, %v; want %d", len(got), err, len(want))
		}
	}
}

// FuzzPipeline checks that the articles of a pipeline are those that the server sent under the
// numbers that were asked for, whatever it sends, and that reading ends.
//
// Covers: P6, T94
func FuzzPipeline(f *testing.F) {
	f.Add([]byte("220 1 <a@b>\r\nSubject: a\r\n\r\ntext\r\n.\r\n423 none\r\n220 3 <c@d>\r\n.\r\n"), 3)
	f.Add([]byte("220 1 <a@b>\r\ntext\r\n220 2 <c@d>\r\n.\r\n"), 2)
	f.Add([]byte("480 who?\r\n480 who?\r\n220 3 <c@d>\r\n..\r\n.\r\n"), 3)
	f.Add([]byte("400 bye\r\n"), 1)
	f.Add([]byte("220\r\n\n.\n.\r\n"), 500)
	f.Fuzz(func(t *testing.T, data []byte, count int) {
		if count < 0 || count > 1000 {
			return
		}
		client, server := net.Pipe()
		go io.Copy(io.Discard, server)
		go func() {
			server.Write(data)
			server.Close()
		}()
		env := &scheme.Env{Trace: &scheme.Trace{}, Limits: scheme.Limits{}.WithDefaults()}
		s := newTestSession(client, env)
		defer s.release()
		last, total, failed := int64(0), 0, false
		for got, err := range s.run(each([]span{{1, int64(count)}})) {
			if err != nil {
				if failed = true; !s.Unusable.Load() && got.reply.Code/100 == 2 {
					t.Fatalf("the connection is used after %v", err)
				}
				break
			}
			if got.number != last+1 {
				t.Fatalf("number %d after %d", got.number, last)
			}
			last = got.number
			if got.text != nil {
				b, err := io.ReadAll(got.text)
				if total += len(b); err == nil && !bytes.Contains(data, []byte("\r\n")) {
					t.Fatalf("a text without an end")
				}
			}
		}
		if total > len(data) || !failed && last != int64(count) {
			t.Fatalf("%d bytes of %d, %d articles of %d", total, len(data), last, count)
		}
	})
}
