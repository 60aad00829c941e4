package gopher

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"locator/client"
	"locator/scheme"
	"locator/scheme/form"
	"locator/scheme/gopher/gophertest"
)

// TestSubmitEndToEnd sends a search, a form, and a form that was not asked for before, through the
// client.
//
// Covers: A7, P3
func TestSubmitEndToEnd(t *testing.T) {
	t.Parallel()
	var got string
	w := start(t, gophertest.Ask("form", gophertest.Form{
		Ask:    []string{"Ask: Name\tnobody", "AskP: Password"},
		Handle: func(data string) string { got = data; return "Thanks\r\n" },
	}))
	search := scheme.Request{URL: w.SearchURL()}
	res, err := w.c.Submit(t.Context(), search, scheme.SubmitOptions{Answers: []form.Answer{{Name: "Search", Value: "caf"}}})
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for e, err := range res.Entries {
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind == scheme.KindObject {
			found++
		}
	}
	res.Close()
	if found != 2 {
		t.Errorf("the search found %d items", found)
	}
	asks := func() (n int) {
		for _, line := range w.Lines() {
			if strings.HasSuffix(line, "\t!") {
				n++
			}
		}
		return n
	}
	ask := scheme.Request{URL: w.Item('0', "/form", "?")}
	page, err := w.c.Access(t.Context(), ask, nil)
	if err != nil || page.Kind != scheme.KindForm {
		t.Fatalf("%+v, %v", page, err)
	}
	page.Close()
	answers := []form.Answer{{Name: "Password", Value: "s3cret-pw"}, {Name: "name", Value: "jane"}}
	if u, ok := w.c.Fill(ask, page.Form, answers); ok {
		t.Errorf("a URL with a password: %s", u.Text())
	}
	if u, ok := w.c.Fill(ask, page.Form, answers[1:]); !ok || !strings.Contains(u.Text(), "jane") {
		t.Errorf("a URL without a password: %s, %v", u.Text(), ok)
	}
	for _, f := range []*form.Form{page.Form, nil} {
		before := asks()
		got = ""
		res, err := w.c.Submit(t.Context(), ask, scheme.SubmitOptions{Form: f, Answers: answers})
		if err != nil {
			t.Fatal(err)
		}
		if text := bodyOf(t, res); text != "Thanks\r\n" || got != "jane\r\ns3cret-pw\r\n" {
			t.Errorf("reply %q, the server got %q", text, got)
		}
		if strings.Contains(res.URL.Text(), "s3cret-pw") || res.URL.IsZero() {
			t.Errorf("the resource is at %q", res.URL.Text())
		}
		res.Close()
		if asked := asks() - before; asked != map[bool]int{true: 1, false: 0}[f == nil] {
			t.Errorf("with the form %v: it was asked for %d times", f != nil, asked)
		}
	}
	_, err = w.c.Submit(t.Context(), ask, scheme.SubmitOptions{Form: page.Form, Answers: []form.Answer{{Name: "nome", Value: "x"}}})
	if client.CodeOf(err) != scheme.CodeUsage {
		t.Errorf("an answer without a question: %v", err)
	}
}

// TestUpdateSize rejects a body whose size differs from the announced one before anything is sent,
// and calls Commit before that.
//
// Covers: A15
func TestUpdateSize(t *testing.T) {
	t.Parallel()
	veto := errors.New("not after all")
	for _, ask := range []string{" Ask: Name\r\n", " ChooseF: File\r\n"} {
		for size, code := range map[int64]scheme.Code{3: scheme.CodeOK, 2: scheme.CodeLocal, 4: scheme.CodeLocal} {
			s := say(ask1(ask), "+0\r\n")
			runs := 0
			b := scheme.Body{Reader: strings.NewReader("Joe"), Size: scheme.Known(size), Commit: func() error { runs++; return nil }}
			res, err := New().Update(t.Context(), s.env(t), request1(t, "gopher://h/0/f%09%09?"), b, scheme.WriteOptions{})
			if err == nil {
				res.Close()
			}
			sent := len(s.requests()) == 2
			if codeOf(err) != code || sent != (err == nil) || runs == 1 != (err == nil) {
				t.Errorf("%q, size %d: %v, sent %v, %d commits", ask, size, err, sent, runs)
			}
		}
		s := say(ask1(ask), "+0\r\n")
		b := scheme.Body{Reader: strings.NewReader("Joe"), Commit: func() error { return veto }}
		if _, err := New().Update(t.Context(), s.env(t), request1(t, "gopher://h/0/f%09%09?"), b, scheme.WriteOptions{}); !errors.Is(err, veto) || len(s.requests()) != 1 {
			t.Errorf("%q: %v, sent %q", ask, err, s.requests())
		}
	}
}

// A form without an open field is not sent with a body that fails or has another size than
// announced.
//
// Covers: A15
func TestUpdateNothingOpen(t *testing.T) {
	t.Parallel()
	bad := errors.New("disk error")
	for name, tt := range map[string]struct {
		b    scheme.Body
		code scheme.Code
	}{
		"no body":              {scheme.Body{}, scheme.CodeOK},
		"empty":                {scheme.Body{Reader: strings.NewReader(""), Size: scheme.Known(0)}, scheme.CodeOK},
		"a body":               {scheme.Body{Reader: strings.NewReader("x")}, scheme.CodeUsage},
		"shorter than said":    {scheme.Body{Reader: strings.NewReader(""), Size: scheme.Known(5)}, scheme.CodeLocal},
		"longer than said":     {scheme.Body{Reader: strings.NewReader("x"), Size: scheme.Known(0)}, scheme.CodeLocal},
		"no Reader but a size": {scheme.Body{Size: scheme.Known(5)}, scheme.CodeLocal},
		"it cannot be read":    {scheme.Body{Reader: iotest.ErrReader(bad)}, scheme.CodeLocal},
	} {
		s := say(ask1(" Ask: Name\r\n"), "+0\r\n")
		res, err := New().Update(t.Context(), s.env(t), request1(t, "gopher://h/0/f%09%09?"), tt.b,
			scheme.WriteOptions{Answers: []form.Answer{{Name: "Name", Value: "jane"}}})
		if err == nil {
			res.Close()
		}
		if sent := len(s.requests()) == 2; codeOf(err) != tt.code || sent != (err == nil) {
			t.Errorf("%s: %v, want %v; sent %v", name, err, tt.code, sent)
		}
	}
}

// A body that blocks does not delay cancellation.
//
// Covers: P6
func TestUpdateFromSilence(t *testing.T) {
	t.Parallel()
	for _, ask := range []string{" Ask: Name\r\n", " ChooseF: File\r\n"} {
		silence, end := io.Pipe()
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			s := say(ask1(ask), "+0\r\n")
			_, err := New().Update(ctx, s.env(t), request1(t, "gopher://h/0/f%09%09?"), scheme.Body{Reader: silence}, scheme.WriteOptions{})
			done <- err
		}()
		end.Write([]byte("half")) // returns when it was read
		cancel()
		select {
		case err := <-done:
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%q: %v", ask, err)
			}
		case <-time.After(10 * time.Second):
			t.Errorf("%q: it hangs", ask)
		}
		end.Close()
	}
}

// A form that was sent without a reply is in doubt. An error reply is not in doubt.
//
// Covers: A15, P6
func TestFormInDoubt(t *testing.T) {
	t.Parallel()
	for reply, want := range map[string]scheme.Code{"": scheme.CodeInDoubt, "--2\r\n2 x\r\nlater\r\n.\r\n": scheme.CodeUnavailable} {
		_, f := formOf(t, say(ask1(" Ask: Name\r\n"), reply), "gopher://h/0/f%09%09?")
		if _, err := f.submit(t, nil); codeOf(err) != want {
			t.Errorf("%q: %v, want %v", reply, err, want)
		}
	}
}
