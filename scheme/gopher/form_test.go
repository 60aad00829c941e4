package gopher

import (
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"locator"
	"locator/scheme"
	"locator/scheme/form"
	"locator/scheme/gopher/gophertest"
)

// askForm is the form of the captures (umn-2.3.0, 20).
const askForm = "+INFO: 0form\t0/form\tlocalhost\t7072\t?\r\n+ASK:\r\n Note: Please fill in this form\r\n Ask: Your name:\tAnonymous\r\n AskP: Your password:\r\n" +
	" AskL: Comments:\r\n Select: Subscribe to list:1\r\n Choose: Favourite colour:\tRed\tGreen\tBlue\r\n"

func ask1(lines string) string {
	return "+-1\r\n+INFO: 0f\t/f\th\t70\t?\r\n+ASK:\r\n" + lines + ".\r\n"
}

// formOf requests a form.
func formOf(t *testing.T, s *script, url string) (*scheme.Resource, asked) {
	t.Helper()
	r := request1(t, url)
	res, err := s.access(t, r)
	if err != nil {
		t.Fatalf("%s: %v", url, err)
	}
	if res.Kind != scheme.KindForm {
		t.Fatalf("%s: a %s, want a form", url, res.Kind)
	}
	return res, asked{res.Form, s.env(t), r}
}

// TestForm repeats the exchange of the captures (umn-2.3.0, 20 and 24) exactly.
//
// Covers: A7, P3
func TestForm(t *testing.T) {
	t.Parallel()
	s := say("+-1\r\n"+askForm+".\r\n", "+-1\r\nBEGIN ANSWERS\r\nEND ANSWERS\r\n.\r\n")
	res, f := formOf(t, s, "gopher://localhost:7072/00/form%09%09?")
	want := []form.Field{
		{Name: "Please fill in this form", Kind: form.Note},
		{Name: "Your name:", Kind: form.Text, Default: "Anonymous"},
		{Name: "Your password:", Kind: form.Secret},
		{Name: "Comments:", Kind: form.Lines},
		{Name: "Subscribe to list", Kind: form.Switch, Default: "1"},
		{Name: "Favourite colour:", Kind: form.Choice, Default: "Red", Options: []string{"Red", "Green", "Blue"}},
	}
	if got := f.Fields; !reflect.DeepEqual(got, want) {
		t.Errorf("fields %+v", got)
	}
	if len(res.Notes) != 0 {
		t.Errorf("notes %q", res.Notes)
	}
	answers := []form.Answer{
		{Name: "Favourite colour", Value: "Green"}, {Name: "Your password:", Value: "secret"},
		{Name: "your name", Value: "Jane Doe"}, {Name: "Comments:", Value: "first line\nsecond line\n"},
	}
	if u, ok := f.fill(answers); ok {
		t.Errorf("got a URL that contains a password: %s", u)
	}
	got, err := f.submit(t, answers)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	if b := bodyOf(t, got); b != "BEGIN ANSWERS\r\nEND ANSWERS\r\n" {
		t.Errorf("reply %q", b)
	}
	const sent = "0/form\t+\t1\r\n+-1\r\nJane Doe\r\nsecret\r\n2\r\nfirst line\r\nsecond line\r\n1\r\nGreen\r\n.\r\n"
	if r := s.requests(); r[0] != "0/form\t!\r\n" || r[1] != sent {
		t.Errorf("sent %q, want %q", r, sent)
	}
	if trace := strings.Join(s.traced, "\n"); strings.Contains(trace, "secret") || !strings.Contains(trace, "Jane Doe") {
		t.Errorf("trace %q", trace)
	}
}

// TestFormURL makes a URL of a filled form and back (RFC 1738 3.4.9).
//
// Covers: S9, A7
func TestFormURL(t *testing.T) {
	t.Parallel()
	const (
		url    = "gopher://localhost:7072/00/form%09%09+%091%0D%0A+-1%0D%0AJ%F6rg%0D%0A%0D%0A2%0D%0Aa%0D%0A.b%0D%0A0%0D%0ABlue%0D%0A.%0D%0A"
		filled = "0/form\t+\t1\r\n+-1\r\nJ\xf6rg\r\n\r\n2\r\na\r\n.b\r\n0\r\nBlue\r\n.\r\n"
	)
	_, f := formOf(t, say("+-1\r\n"+askForm+".\r\n"), "gopher://localhost:7072/00/form%09%09?")
	u, ok := f.fill([]form.Answer{
		{Name: "Your name", Value: "J\u00f6rg"}, {Name: "Comments", Value: "a\n.b"}, {Name: "Subscribe to list", Value: "no"}, {Name: "Favourite colour", Value: "Blue"},
	})
	if !ok || u.Text() != url {
		t.Fatalf("%s, %v; want %s", u, ok, url)
	}
	// The URL of a user is sent, with a note.
	s := say("+-1\r\nok\r\n.\r\n")
	res, err := s.access(t, scheme.Request{URL: u})
	if err != nil || s.requests()[0] != filled {
		t.Fatalf("%v, sent %q, want %q", err, s.requests(), filled)
	}
	if len(res.Notes) != 1 || !strings.Contains(res.Notes[0], "sent") {
		t.Errorf("notes %q", res.Notes)
	}
	// The form of a URL from a server is returned filled in, not sent.
	s = say("+-1\r\n" + askForm + ".\r\n")
	res, err = s.access(t, scheme.Request{URL: u, From: &scheme.Hop{Kind: scheme.HopMenuItem, N: 1}})
	if err != nil || res.Kind != scheme.KindForm || s.requests()[0] != "0/form\t!\r\n" || len(res.Notes) != 1 {
		t.Fatalf("%+v, %v, sent %q", res, err, s.requests())
	}
	var values []string
	for _, field := range res.Form.Fields {
		values = append(values, field.Default)
	}
	if want := []string{"", "J\u00f6rg", "", "a\n.b", "0", "Blue"}; !reflect.DeepEqual(values, want) {
		t.Errorf("filled in: %q, want %q", values, want)
	}
	if again, ok := New().Fill(scheme.Request{URL: u}, res.Form, nil); !ok || again != u {
		t.Errorf("got %s for the same answers", again)
	}
	// A listing never sends it.
	s = say()
	for _, err := range listed(New().List(t.Context(), s.env(t), scheme.Request{URL: u}, scheme.ListOptions{})) {
		if codeOf(err) != scheme.CodeUsage {
			t.Errorf("listing: %v", err)
		}
	}
	if len(s.requests()) != 0 {
		t.Errorf("listing sent %q", s.requests())
	}
	// Answers that do not match the form are ignored, with a note.
	for _, data := range []string{"x", "x%0D%0A%0D%0A5%0D%0Aa", "x%0D%0Ap%0D%0A0%0D%0A1%0D%0APink", "x%0D%0Ap%0D%0A0%0D%0A7%0D%0ARed", "x%0D%0Ap%0D%0A0%0D%0A1%0D%0ARed%0D%0Amore", "x%0D%0Ap%0D%0A-1%0D%0A1%0D%0ARed"} {
		r := request1(t, "gopher://h/00/form%09%09+%091%0D%0A+-1%0D%0A"+data+"%0D%0A.%0D%0A")
		r.From = &scheme.Hop{}
		res, err := say("+-1\r\n"+askForm+".\r\n").access(t, r)
		if err != nil || len(res.Notes) != 2 || res.Form.Fields[1].Default != "Anonymous" {
			t.Errorf("%s: %v", data, err)
		}
	}
}

// TestDirectives reads every directive and checks what is sent for its answer.
//
// Covers: A7
func TestDirectives(t *testing.T) {
	t.Parallel()
	type field = form.Field
	tests := []struct {
		ask    string
		fields []form.Field
		answer string
		sent   string // for the default, then for the answer; "" if the answer is rejected
		then   string
	}{
		{"Ask: Name", []field{{Name: "Name", Kind: form.Text}}, "x\ty", "\r\n", "x\ty\r\n"},
		{"ASK:Name\tJoe", []field{{Name: "Name", Kind: form.Text, Default: "Joe"}}, "caf\u00e9 \u20ac", "Joe\r\n", "caf\u00e9 \u20ac\r\n"},
		{"Ask: Name", []field{{Name: "Name", Kind: form.Text}}, "two\nlines", "\r\n", ""},
		{"AskP: Key\tdefault", []field{{Name: "Key", Kind: form.Secret}}, "k", "\r\n", "k\r\n"},
		{"AskL: Text", []field{{Name: "Text", Kind: form.Lines}}, "a\r\n\nb\r\n", "0\r\n", "3\r\na\r\n\r\nb\r\n"},
		{"AskL: Text\tdefault", []field{{Name: "Text", Kind: form.Lines, Default: "default"}}, "", "1\r\ndefault\r\n", "0\r\n"},
		{"AskL: Text", []field{{Name: "Text", Kind: form.Lines}}, "a\rb", "0\r\n", ""},
		{"AskF: Save as\tx.txt", []field{{Name: "Save as", Kind: form.Text, Default: "x.txt"}}, "y", "x.txt\r\n", "y\r\n"},
		{"Select: S:0", []field{{Name: "S", Kind: form.Switch, Default: "0"}}, "yes", "0\r\n", "1\r\n"},
		{"Select: S:1", []field{{Name: "S", Kind: form.Switch, Default: "1"}}, "off", "1\r\n", "0\r\n"},
		{"Select: S\t1", []field{{Name: "S", Kind: form.Switch, Default: "1"}}, "maybe", "1\r\n", ""},
		{"Select: S", []field{{Name: "S", Kind: form.Switch, Default: "0"}}, "1", "0\r\n", "1\r\n"},
		{"Select: Which:\ta\tb", []field{{Name: "Which: a", Kind: form.Switch, Default: "0"}, {Name: "Which: b", Kind: form.Switch, Default: "0"}}, "1", "0\r\n0\r\n", "1\r\n0\r\n"},
		{"Choose: C\ta\tb", []field{{Name: "C", Kind: form.Choice, Default: "a", Options: []string{"a", "b"}}}, "b", "a\r\n", "b\r\n"},
		{"Choose: C\ta\tb", []field{{Name: "C", Kind: form.Choice, Default: "a", Options: []string{"a", "b"}}}, "c", "a\r\n", ""},
		{"Choose: C", []field{{Name: "C", Kind: form.Text}}, "c", "\r\n", "c\r\n"},
		{"Note: Read this", []field{{Name: "Read this", Kind: form.Note}}, "x", "", ""},
		{"just text", []field{{Name: "just text", Kind: form.Note}}, "x", "", ""},
		{"", []field{{Kind: form.Note}}, "x", "", ""},
		{"Please read: this", []field{{Name: "Please read: this", Kind: form.Note}}, "x", "", ""},
		{"AskX: Name", []field{{Name: "AskX: Name", Kind: form.Text}}, "x", "\r\n", "x\r\n"},
	}
	for _, tt := range tests {
		block := ask1(" " + tt.ask + "\r\n")
		s := say(block, "+0\r\n", "+0\r\n")
		_, f := formOf(t, s, "gopher://h/0/f%09%09?")
		if got := f.Fields; !reflect.DeepEqual(got, tt.fields) {
			t.Errorf("%q: fields %+v, want %+v", tt.ask, got, tt.fields)
			continue
		}
		if _, err := f.submit(t, nil); err != nil {
			t.Errorf("%q: %v", tt.ask, err)
		} else if got, want := s.requests()[1], "/f\t+\t1\r\n+-1\r\n"+tt.sent+".\r\n"; got != want {
			t.Errorf("%q: the default is sent as %q, want %q", tt.ask, got, want)
		}
		_, err := f.submit(t, []form.Answer{{Name: tt.fields[0].Name, Value: tt.answer}})
		if tt.then == "" {
			if codeOf(err) != scheme.CodeUsage || len(s.requests()) != 2 {
				t.Errorf("%q, %q: %v", tt.ask, tt.answer, err)
			}
		} else if err != nil {
			t.Errorf("%q, %q: %v", tt.ask, tt.answer, err)
		} else if got, want := s.requests()[2], "/f\t+\t1\r\n+-1\r\n"+tt.then+".\r\n"; got != want {
			t.Errorf("%q: the answer is sent as %q, want %q", tt.ask, got, want)
		}
	}
}

// TestCountedForm sends a count if an answer would be an end mark, or if there is a file.
//
// Covers: A7, P2, T144
func TestCountedForm(t *testing.T) {
	t.Parallel()
	s := say(ask1(" AskL: Text\r\n ChooseF: File\r\n"), "+0\r\n", "+0\r\n", "+0\r\n", "+0\r\n")
	_, f := formOf(t, s, "gopher://h/0/f%09%09?")
	for i, tt := range []struct {
		answers []form.Answer
		want    string
	}{
		{[]form.Answer{{Name: "Text", Value: ".\n.."}}, "+10\r\n2\r\n.\r\n..\r\n"},
		{[]form.Answer{{Name: "File", File: strings.NewReader("a\n\x00\r")}}, "+7\r\n0\r\na\n\x00\r"},
		{[]form.Answer{{Name: "File", Value: "text"}}, "+7\r\n0\r\ntext"},
	} {
		if _, err := f.submit(t, tt.answers); err != nil {
			t.Fatal(err)
		}
		if got, want := s.requests()[i+1], "/f\t+\t1\r\n"+tt.want; got != want {
			t.Errorf("sent %q, want %q", got, want)
		}
		if _, ok := f.fill(tt.answers); ok {
			t.Error("a URL for a form with a file")
		}
	}
	if _, err := f.submit(t, []form.Answer{{Name: "File", File: iotest.ErrReader(errors.New("no disk"))}}); codeOf(err) != scheme.CodeLocal {
		t.Errorf("an unreadable file: %v", err)
	}
	_, f = formOf(t, say(ask1(" ChooseF: A\r\n ChooseF: B\r\n")), "gopher://h/0/f%09%09?")
	if _, err := f.submit(t, nil); codeOf(err) != scheme.CodeUnsupported {
		t.Errorf("two files: %v", err)
	}
	_, f = formOf(t, say(ask1(" AskL: Text\r\n")), "gopher://h/0/f%09%09?")
	u, ok := f.fill([]form.Answer{{Name: "Text", Value: "."}})
	if !ok || u.Text() != "gopher://h/0/f%09%09+%091%0D%0A+6%0D%0A1%0D%0A.%0D%0A" {
		t.Errorf("%s, %v", u, ok)
	}
}

// Covers: A7, T144
func TestFormAnswers(t *testing.T) {
	t.Parallel()
	const two = " Ask: Name\r\n Ask: Name\r\n"
	s := say(ask1(two), "+0\r\n", "+0\r\n")
	_, f := formOf(t, s, "gopher://h/0/f%09%09?")
	if _, err := f.submit(t, []form.Answer{{Name: "Name", Value: "1"}, {Name: "Name", Value: "2"}}); err != nil || !strings.Contains(s.requests()[1], "\r\n1\r\n2\r\n") {
		t.Errorf("%v, sent %q", err, s.requests())
	}
	_, err := f.submit(t, []form.Answer{{Name: "Nome", Value: "x"}})
	if codeOf(err) != scheme.CodeUsage || !strings.Contains(err.Error(), `"Name"`) {
		t.Errorf("an unknown field: %v", err)
	}
	// Without the form, it is requested first.
	s = say(ask1(" Ask: Name\r\n"), "+-1\r\nok\r\n.\r\n")
	r := request1(t, "gopher://h/0/f%09%09?")
	res, err := New().Submit(t.Context(), s.env(t), r, scheme.SubmitOptions{Answers: []form.Answer{{Name: "Name", Value: "x"}}})
	if err != nil || bodyOf(t, res) != "ok\r\n" || len(s.requests()) != 2 || s.requests()[0] != "/f\t!\r\n" {
		t.Errorf("%v, sent %q", err, s.requests())
	} else {
		res.Close()
	}
	// A reply that redirects, and one that is an error.
	_, f = formOf(t, say(ask1(""), "--1\r\n3 0New\t/new\tn\t70\r\n.\r\n", "--1\r\n2 x\r\nlater\r\n.\r\n"), "gopher://h/0/f%09%09?")
	if res, err := f.submit(t, nil); err != nil || res.Kind != scheme.KindReferral {
		t.Errorf("moved: %+v, %v", res, err)
	}
	if _, err := f.submit(t, nil); codeOf(err) != scheme.CodeUnavailable {
		t.Errorf("busy: %v", err)
	}
	// No form.
	for _, reply := range []string{"+-1\r\n+INFO: 0f\t/f\th\t70\t+\r\n.\r\n", "Hello\r\n"} {
		if _, err := say(reply).access(t, r); codeOf(err) != scheme.CodeUnsupported {
			t.Errorf("%q: %v", reply, err)
		}
	}
}

// Covers: A15
func TestUpdate(t *testing.T) {
	t.Parallel()
	tests := []struct {
		ask     string
		answers []form.Answer
		body    string
		want    string
	}{
		{" Ask: Name\r\n", nil, "Joe\n", "+-1\r\nJoe\r\n.\r\n"},
		{" Ask: Name\r\n AskL: Text\r\n", []form.Answer{{Name: "Name", Value: "x"}}, "a\nb\n", "+-1\r\nx\r\n2\r\na\r\nb\r\n.\r\n"},
		{" Ask: Name\r\n ChooseF: File\r\n", nil, "octets\n", "+9\r\n\r\noctets\n"},
		{" Ask: Name\r\n Ask: Other\r\n", nil, "x", ""},
		{" Ask: Name\r\n", []form.Answer{{Name: "Name", Value: "x"}}, "y", ""},
		{" Ask: Name\r\n", []form.Answer{{Name: "Nome"}}, "y", ""},
	}
	for _, tt := range tests {
		s := say(ask1(tt.ask), "+0\r\n")
		r := request1(t, "gopher://h/0/f%09%09?")
		res, err := New().Update(t.Context(), s.env(t), r, scheme.Body{Reader: strings.NewReader(tt.body)}, scheme.WriteOptions{Answers: tt.answers})
		if tt.want == "" {
			if codeOf(err) != scheme.CodeUsage || len(s.requests()) != 1 {
				t.Errorf("%q: %v, sent %q", tt.ask, err, s.requests())
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", tt.ask, err)
			continue
		}
		res.Close()
		if got, want := s.requests()[1], "/f\t+\t1\r\n"+tt.want; got != want {
			t.Errorf("%q: sent %q, want %q", tt.ask, got, want)
		}
	}
	s := say(ask1(" Ask: Name\tdefault\r\n"), "+0\r\n")
	if res, err := New().Update(t.Context(), s.env(t), request1(t, "gopher://h/0/f%09%09?"), scheme.Body{}, scheme.WriteOptions{}); err != nil || !strings.Contains(s.requests()[1], "\r\ndefault\r\n") {
		t.Errorf("no body: %v, sent %q", err, s.requests())
	} else {
		res.Close()
	}
	if _, err := New().Update(t.Context(), say().env(t), request1(t, "gopher://h/0/f"), scheme.Body{}, scheme.WriteOptions{}); codeOf(err) != scheme.CodeUnsupported {
		t.Errorf("no form: %v", err)
	}
	long := scheme.Body{Reader: io.LimitReader(endlessly("x"), 1<<20)}
	if _, err := New().Update(t.Context(), say(ask1(" AskL: Text\r\n")).env(t), request1(t, "gopher://h/0/f%09%09?"), long, scheme.WriteOptions{}); codeOf(err) != scheme.CodeUsage {
		t.Errorf("a long body: %v", err)
	}
}

// Covers: S9, A7
func TestQuery(t *testing.T) {
	t.Parallel()
	s := say("0A\t/a\th\t70\r\n.\r\n")
	res, err := s.access(t, request1(t, "gopher://h:7070/7/s"))
	if err != nil || res.Kind != scheme.KindQuery || len(s.requests()) != 0 {
		t.Fatalf("%+v, %v, sent %q; want a query, and nothing sent", res, err, s.requests())
	}
	if got := res.Form.Fields; len(got) != 1 || got[0].Kind != form.Text {
		t.Errorf("fields %+v", got)
	}
	f := asked{res.Form, s.env(t), request1(t, "gopher://h:7070/7/s")}
	u, ok := f.fill([]form.Answer{{Name: "search", Value: "foo %20\u00e9"}})
	if !ok || u.Text() != "gopher://h:7070/7/s%09foo%20%2520%C3%A9" {
		t.Errorf("%s, %v", u, ok)
	}
	for _, bad := range [][]form.Answer{nil, {{Name: "Other", Value: "x"}}, {{Value: "a\tb"}}, {{Value: "a\r\nb"}}, {{}, {}}} {
		if u, ok := f.fill(bad); ok {
			t.Errorf("%+v returned %s", bad, u)
		}
		if _, err := f.submit(t, bad); codeOf(err) != scheme.CodeUsage && codeOf(err) != scheme.CodeRefused {
			t.Errorf("%+v returned %v", bad, err)
		}
	}
	found, err := f.submit(t, []form.Answer{{Value: "foo bar"}})
	if err != nil || len(entriesOf(t, found)) != 1 || s.requests()[0] != "/s\tfoo bar\r\n" {
		t.Errorf("%v, sent %q", err, s.requests())
	}
	for url, want := range map[string]string{
		"gopher://h/7/s": "/s\tw\r\n", "gopher://h/7/s%09%09+": "/s\tw\t+\r\n", "gopher://h/7/s%09old": "/s\told\r\n",
	} {
		s := say("0A\t/a\th\t70\r\n.\r\n")
		r := request1(t, url)
		n := 0
		for _, err := range listed(New().List(t.Context(), s.env(t), r, scheme.ListOptions{Query: locator.Some("w")})) {
			if err != nil {
				t.Errorf("%s: %v", url, err)
			}
			n++
		}
		if n != 1 || s.requests()[0] != want {
			t.Errorf("%s: %d entries, sent %q, want %q", url, n, s.requests(), want)
		}
	}
	// An empty search is a search.
	s = say(".\r\n")
	r := request1(t, "gopher://h/7/s%09%09+")
	if _, err := s.access(t, r, scheme.AccessOptions{Query: locator.Some("")}); err != nil || s.requests()[0] != "/s\t\r\n" {
		t.Errorf("%v, sent %q", err, s.requests())
	}
	res, _ = say().access(t, request1(t, "gopher://h/7/s%09%09+"))
	if u, ok := New().Fill(r, res.Form, []form.Answer{{}}); !ok || u.Text() != "gopher://h/7/s%09" {
		t.Errorf("no words: %s, %v", u, ok)
	}
	for _, err := range listed(New().List(t.Context(), say().env(t), request1(t, "gopher://h/7/s"), scheme.ListOptions{})) {
		if codeOf(err) != scheme.CodeUsage {
			t.Errorf("listing without words: %v", err)
		}
	}
}

// FuzzForm checks that any form and answer is sent as one data block of that form.
//
// Covers: P2, T143
func FuzzForm(f *testing.F) {
	f.Add(" Ask: A\tb\r\n AskL: C\r\n", "x")
	f.Add(" Select: S\ta\tb\r\n ChooseF: F\r\n", ".\n.")
	f.Add(" Choose: \t\r\n", "")
	f.Fuzz(func(t *testing.T, lines, value string) {
		s := say("+-1\r\n+INFO: 0f\t/f\th\t70\t?\r\n+ASK:\r\n"+lines, "+0\r\n")
		res, err := New().Access(t.Context(), s.env(t), scheme.Request{URL: locator.MustParse("gopher://h/0/f%09%09?")}, scheme.AccessOptions{})
		if err != nil || res.Kind != scheme.KindForm {
			return
		}
		var answers []form.Answer
		file := false
		for _, field := range res.Form.Fields {
			if field.Kind != form.Note {
				answers = append(answers, form.Answer{Name: field.Name, Value: value})
			}
			file = file || field.Kind == form.File
		}
		if _, err := (asked{res.Form, s.env(t), scheme.Request{URL: locator.MustParse("gopher://h/0/f%09%09?")}}).submit(t, answers); err != nil || file {
			return
		}
		line, data, _ := strings.Cut(s.requests()[1], "\r\n")
		plus := line[strings.IndexByte(line, '+'):]
		if _, ok := (&locator.Gopher{Plus: locator.Some(plus + "\r\n" + data)}).Form(); !ok {
			t.Fatalf("sent %q", s.requests()[1])
		}
	})
}

// TestSearch fills in a search and reads the items that it finds.
//
// Covers: A7
func TestSearch(t *testing.T) {
	t.Parallel()
	for _, m := range gophertest.AllBehaviors() {
		w := start(t, gophertest.Behave(m))
		res, err := w.c.Access(t.Context(), scheme.Request{URL: w.SearchURL()}, nil)
		if err != nil || res.Kind != scheme.KindQuery {
			t.Fatalf("%s: %+v, %v", m, res, err)
		}
		u, ok := w.c.Fill(scheme.Request{URL: w.SearchURL()}, res.Form, []form.Answer{{Name: "Search", Value: "caf"}})
		if !ok || u != w.SearchURL("caf") {
			t.Errorf("%s: %s", m, u)
		}
		found, _, err := w.read(t, u)
		if strings.Count(found, "object|caf") != 2 || err != nil {
			t.Errorf("%s: found %q, %v", m, found, err)
		}
		if _, _, err := w.read(t, w.SearchURL("no such")); err != nil && m.String() != "pygopherd 3.0" {
			t.Errorf("%s: nothing found: %v", m, err) // pygopherd sends an empty reply
		}
	}
}
