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

// randomURLs returns URLs of the ten schemes and the generic form, one per line. Half of them are
// changed at random.
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
//
// Covers: T205
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

// webURLs returns URLs like those in web pages.
func webURLs(n int) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprintf("https://www.news-%d.example/archive/2024/%d/view-page-%x.html?item=%d&lang=en", i%97, i%12, i*7919, i))
	}
	return list
}
