package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/internal/bnf"
)

// runText runs the program in the process of the test.
func runText(t testing.TB, in string, args ...string) (out, errs string, status int) {
	t.Helper()
	var o, e bytes.Buffer
	status = run(t.Context(), args, world{In: strings.NewReader(in), Out: &o, Err: &e, Getenv: func(string) string { return "" }})
	return o.String(), e.String(), status
}

// parsed is the object of parse --json and, with the last fields, of explain --json.
type parsed struct {
	Input     string
	OK        bool
	Scheme    *string
	User      *string
	Password  *string
	Host      *string
	Port      any
	Fragment  *string
	Canonical *string
	View      map[string]any
	Error     *problem
	RFC1738   struct {
		OK    bool
		Error *problem
	}
	Steps    []string
	Findings []struct{ Code, Severity, Message, Section string }
}

type problem struct {
	Offset                       int
	Rule, Section, Message, Hint string
}

// randomURLs returns URLs of the ten schemes and the generic form, one per line. Half of them are changed at random.
func randomURLs(n int) []string {
	r := rand.New(rand.NewPCG(1738, uint64(n)))
	var list []string
	for len(list) < n {
		text := bnf.RandomURL(r, 60)
		if r.IntN(2) == 0 {
			text = bnf.Mutate(r, text)
		}
		// Each URL must be one line of input; wrappers have tests of their own.
		if _, cut := locator.Unwrap(text); text == "" || text == "-" || strings.Contains(text, "\n") || strings.HasSuffix(text, "\r") || cut > 0 {
			continue
		}
		list = append(list, text)
	}
	return list
}

// The verdict, scheme and offset of 20,000 random URLs match those of the oracle.
//
// Covers: S1, S2, S7, S8, S9, S10, S11, S12, S13, S14, S15, S16
func TestParseAgreesWithGrammar(t *testing.T) {
	t.Parallel()
	urls := randomURLs(20_000)
	out, errs, status := runText(t, strings.Join(urls, "\n"), "parse", "--json", "--show-passwords")
	if errs != "" || status != 3 {
		t.Errorf("status %d, standard error %q", status, errs)
	}
	lines := bufio.NewScanner(strings.NewReader(out))
	lines.Buffer(nil, 1<<20)
	good := 0
	for i, text := range urls {
		if !lines.Scan() {
			t.Fatalf("no answer to %q", text)
		}
		var got parsed
		if err := json.Unmarshal(lines.Bytes(), &got); err != nil {
			t.Fatalf("%q: %v: %s", text, err, lines.Text())
		}
		name, ok, offset := bnf.URL(text)
		switch {
		case !strings.HasPrefix(lines.Text(), `{"input":`+string(appendString(nil, text))+fmt.Sprintf(`,"line":%d,"ok":`, i+1)):
			t.Fatalf("%q is answered by %s", text, lines.Text())
		case got.OK != ok:
			t.Fatalf("%q: %s, want ok %v", text, lines.Text(), ok)
		case ok && *got.Scheme != name, !ok && name != "" && (got.Scheme == nil || *got.Scheme != name), !ok && name == "" && got.Scheme != nil:
			t.Fatalf("%q: %s, want scheme %q", text, lines.Text(), name)
		case !ok && (got.Error == nil || got.Error.Offset != offset || got.Error.Message == ""):
			t.Fatalf("%q: %s, want offset %d", text, lines.Text(), offset)
		}
		if ok {
			good++
		}
	}
	if lines.Scan() {
		t.Errorf("an answer too many: %s", lines.Text())
	}
	if good < 8_000 || good > 18_000 {
		t.Errorf("%d of %d are URLs: that shows little", good, len(urls))
	}
}

// explain prints all that parse prints, in the same words, for any input.
//
// Covers: S1, P3
func TestExplainHoldsParse(t *testing.T) {
	t.Parallel()
	in := strings.Join(randomURLs(3_000), "\n")
	for _, syntax := range []string{"rfc1738", "current"} {
		plain, _, _ := runText(t, in, "parse", "--json", "--syntax", syntax)
		more, errs, status := runText(t, in, "explain", "--json", "--syntax", syntax)
		if errs != "" || status != 3 {
			t.Errorf("status %d, standard error %q", status, errs)
		}
		a, b := strings.Split(plain, "\n"), strings.Split(more, "\n")
		if len(a) != len(b) {
			t.Fatalf("%d answers of parse, %d of explain", len(a), len(b))
		}
		for i := range len(a) - 1 {
			if !strings.HasPrefix(b[i], strings.TrimSuffix(a[i], "}")+`,"rfc1738":{"ok":`) {
				t.Fatalf("parse    %s\nexplain  %s", a[i], b[i])
			}
			var x parsed
			if err := json.Unmarshal([]byte(b[i]), &x); err != nil {
				t.Fatalf("%v: %s", err, b[i])
			}
			if x.RFC1738.OK == (x.RFC1738.Error != nil) || x.RFC1738.OK && !x.OK && syntax == "rfc1738" {
				t.Fatalf("at odds with itself: %s", b[i])
			}
		}
	}
}

// No password is printed without --show-passwords.
//
// Covers: P3
func TestParseMasksPasswords(t *testing.T) {
	t.Parallel()
	const secret = "hunter2-secret"
	for _, text := range []string{
		"ftp://me:" + secret + "@host.dom/motd", "telnet://me:" + secret + "@host.dom/", "x-shop://me:" + secret + "@host.dom/",
		"x-shop://me:" + secret + "@no_host/", "<URL:ftp://me:" + secret + "@host.dom/>", "URL:ftp://me:" + secret + "@host.dom/",
		"ftp://me:" + secret + "@host.dom/a b", "ftp://me:" + secret + "@-/", "http://me:" + secret + "@host.dom/", "ftp://me:" + secret + "~@host.dom/",
		"ftp:me:" + secret + "@host.dom/", "<URL:ftp://me:" + secret + "@host.dom/~>", "ftp://me:" + secret + "@host.dom/#x",
		"gopher://me:" + secret + "@host.dom/", "FTP://me:" + secret + "@HOST.DOM/%7e",
	} {
		for _, verb := range []string{"parse", "explain"} {
			for _, args := range [][]string{{verb}, {verb, "--json"}, {verb, "--syntax", "current"}, {verb, "--syntax", "current", "--json"}} {
				out, errs, _ := runText(t, text, args...)
				if strings.Contains(out+errs, "hunter2") {
					t.Errorf("%v %s: %s%s", args, text, out, errs)
				}
				if !strings.Contains(out+errs, "****") {
					t.Errorf("%v %s shows no mask: %s%s", args, text, out, errs)
				}
			}
			out, _, _ := runText(t, text, verb, "--json", "--show-passwords")
			if want := `{"input":"` + text + `",`; !strings.HasPrefix(out, want) {
				t.Errorf("%s --show-passwords %s: %s", verb, text, out)
			}
		}
	}
}

// A caller that writes one line at a time gets each answer before it writes the next line.
func TestParseAnswersLineByLine(t *testing.T) {
	t.Parallel()
	in, toIn := io.Pipe()
	fromOut, out := io.Pipe()
	done := make(chan int, 1)
	go func() {
		done <- run(t.Context(), []string{"parse", "--json"}, world{In: in, Out: out, Err: io.Discard, Getenv: func(string) string { return "" }})
		out.Close()
	}()
	answers := bufio.NewReader(fromOut)
	for i := range 3 {
		fmt.Fprintf(toIn, "http://host%d/\n", i)
		line, err := answers.ReadString('\n')
		if want := fmt.Sprintf(`"host":"host%d"`, i); err != nil || !strings.Contains(line, want) {
			t.Fatalf("%q, %v, want %s", line, err, want)
		}
	}
	toIn.Close()
	select {
	case status := <-done:
		if status != 0 {
			t.Errorf("status %d", status)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("it does not end")
	}
}

// An interrupt ends a verb that is waiting for input.
func TestInterruptedWhileWaiting(t *testing.T) {
	t.Parallel()
	for _, verb := range []string{"parse", "explain", "attr"} {
		ctx, interrupt := context.WithCancel(t.Context())
		in, toIn := io.Pipe()
		done := make(chan int, 1)
		var errs bytes.Buffer
		go func() {
			done <- run(ctx, []string{verb}, world{In: in, Out: io.Discard, Err: &errs, Getenv: func(string) string { return "" }})
		}()
		if verb != "attr" { // which would go and look for it
			fmt.Fprintln(toIn, "http://a.dom/")
		}
		interrupt()
		select {
		case status := <-done:
			if status != 130 {
				t.Errorf("%s: status %d, %q", verb, status, errs.String())
			}
		case <-time.After(30 * time.Second):
			t.Fatalf("%s does not end", verb)
		}
		toIn.Close()
	}
}

// fullDisk is a writer that accepts a number of bytes.
type fullDisk struct{ room int }

func (d *fullDisk) Write(b []byte) (int, error) {
	if len(b) > d.room {
		n := d.room
		d.room = 0
		return n, errors.New("no space left on device")
	}
	d.room -= len(b)
	return len(b), nil
}

// A failed write to standard output ends the verb early with status 11.
func TestParseOutputFails(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"parse"}, {"parse", "--json"}, {"explain"}, {"explain", "--json"}, {"schemes"}, {"version"}, {"man"}, {"completion", "fish"}} {
		for _, room := range []int{0, 100_000} {
			var errs bytes.Buffer
			in := &countedLines{line: "http://host/path\n"}
			status := run(t.Context(), args, world{In: in, Out: &fullDisk{room}, Err: &errs, Getenv: func(string) string { return "" }})
			if args[0] != "parse" && args[0] != "explain" && room > 0 {
				continue // less than that
			}
			if status != 11 || strings.Count(errs.String(), "no space left") != 1 {
				t.Errorf("%v: status %d, %q", args, status, errs.String())
			}
			if in.n > 10_000 {
				t.Errorf("%v went on reading for %d lines", args, in.n)
			}
		}
	}
}

// countedLines is a reader of 100,000 lines.
type countedLines struct {
	line string
	n    int
}

func (c *countedLines) Read(b []byte) (int, error) {
	n := 0
	for c.n < 100_000 && n+len(c.line) <= len(b) {
		n += copy(b[n:], c.line)
		c.n++
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// For input of any bytes, each line has one answer, which is one line of JSON.
func FuzzParseLines(f *testing.F) {
	f.Add("ftp://a:b@h/%2F\r\n\n<URL:http://h>\nx")
	f.Add("\xff\x00:\xe9\n-\n")
	f.Fuzz(func(t *testing.T, in string) {
		want := 0
		for line := range strings.Lines(in) {
			if line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"); line != "" {
				want++
			}
		}
		for _, args := range [][]string{{"parse", "--json"}, {"explain", "--json"}, {"explain"}} {
			out, _, status := runText(t, in, args...)
			if status != 0 && status != 3 {
				t.Fatalf("%v: status %d", args, status)
			}
			if len(args) == 1 {
				if strings.ContainsFunc(out, func(c rune) bool { return c != '\n' && (c < ' ' || c > '~') }) {
					t.Fatalf("%q is explained by %q", in, out)
				}
				continue
			}
			got := 0
			for line := range strings.Lines(out) {
				if got++; !json.Valid([]byte(line)) {
					t.Fatalf("%q is answered by %q", in, line)
				}
			}
			if got != want {
				t.Fatalf("%d answers to %d lines of %q", got, want, in)
			}
		}
	})
}

func TestParseQuiet(t *testing.T) {
	t.Parallel()
	good := strings.Repeat("http://h/a%20b\r\n\n<URL:ftp://h/>\n", 20_000)
	for name, c := range map[string]struct {
		in     string
		args   []string
		status int
	}{
		"good":             {in: good},
		"nothing":          {},
		"no end of line":   {in: good + "http://h/"},
		"malformed first":  {in: "http://h/~\n" + good, status: 3},
		"malformed last":   {in: good + "http://h/~", status: 3},
		"malformed within": {in: good + "x\n" + good, status: 3},
		"good argument":    {args: []string{"http://h/"}, in: "x"},
		"bad argument":     {args: []string{"x"}, status: 3},
		"both":             {args: []string{"http://h/", "-"}, in: "x", status: 3},
		"other syntax":     {args: []string{"--syntax", "current"}, in: "http://h/~"},
		"too long":         {in: good + "http://h/" + strings.Repeat("a", maxURL), status: 3},
		"with --json":      {args: []string{"--json"}, in: "x", status: 3},
	} {
		out, errs, status := runText(t, c.in, append([]string{"parse", "-q"}, c.args...)...)
		if out != "" || status != c.status || errs != "" {
			t.Errorf("%s: status %d, want %d; output %q, messages %q", name, status, c.status, out, errs)
		}
	}
}

// webURLs returns URLs like those in web pages.
func webURLs(n int) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprintf("https://www.news-%d.example/archive/2024/%d/view-page-%x.html?item=%d&lang=en", i%97, i%12, i*7919, i))
	}
	return list
}
