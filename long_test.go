package locator

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// longText is a text that repeats something: what a reader that goes back would read again and again.
type longText struct {
	before, again, after string
	ok                   bool // it is a URL
	size                 int  // in MiB, for the tests that read it whole
}

func (c longText) text(size int) string {
	return c.before + strings.Repeat(c.again, size/len(c.again)) + c.after
}

// whole is the text as TestParseLong and TestCurrentLong read it.
func (c longText) whole() string {
	size := c.size
	if os.Getenv("LOCATOR_LONG") != "" {
		size = 16
	}
	return c.text(size << 20)
}

// most is how much of such a text goes through everything: its begin, which is another hostile text.
func most() int {
	if os.Getenv("LOCATOR_LONG") != "" {
		return 16 << 20
	}
	return 512 << 10
}

// strictLong are such texts for RFC1738.
var strictLong = []longText{
	{"http://h/", "%41", "", true, 16},
	{"http://h/", "/", "", true, 1},
	{"ftp://h/", "%2F/", "", true, 1},
	{"ftp://", "%41", "@h/", true, 1},
	{"ftp://", "%41", "", false, 1},
	{"ftp://", "a.", "a/", true, 16},
	{"ftp://", "1.", "", false, 1},
	{"http://h:", "0", "", true, 1},
	{"gopher://h/", "%09", "", true, 1},
	{"mailto:", "@", "", true, 1},
	{"news:", "a", "", true, 1},
	{"news:", "%40", "@h", true, 1},
	{"prospero://h/", ";=", ";a=b", true, 1},
	{"prospero://h/", ";a", "", false, 1},
	{"x:", "//a:b@", "", true, 16},
	{"x://", "a:b@", "", true, 1},
	{"ftp://u:", "//a:b@", "", false, 16},
	{"ftp://u:", "//a:b@", strings.Repeat("x", 16<<20), false, 1},
	{"ftp://", "a:", "@", false, 1},
	{"", "a", "", false, 1},
	{"", "a", ":", true, 1},
	{"http:", "/", "", false, 1},
	{"http:", "//a:b/", "@", false, 16},
}

// currentLong are such texts for Current.
var currentLong = []longText{
	{"http://h/", "%25", "", true, 16},
	{"http://h/", "../", "", true, 1},
	{"http://h/", "a/../", "", true, 1},
	{"http://h/", "\u00e9", "", true, 1},
	{"http://h/?", "%E2%80%8B", "", true, 1},
	{"http://h/", "\xe2\x80", "", false, 1},
	{"http://", "%C3%BC", "/", true, 1},
	{"http://", "\u00fc.", "/", true, 1},
	{"http://", "xn--a.", "/", true, 1},
	{"http://", "xn--bcher-kva.", "/", true, 1},
	{"http://", "1.", "", true, 16},
	{"http://", "-", "/", true, 1},
	{"http://", ":", "@h/", true, 16},
	{"http://", "a:", "", false, 1},
	{"http://u@", "a@", "", false, 1},
	{"http://h:", "0", "", true, 1},
	{"ftp://", "%41", "", true, 1},
	{"ftp://", "?", "@h", false, 1},
	{"mailto:", ",", "", true, 1},
	{"mailto:a?", "b=c&", "d=e", true, 1},
	{"mailto:a?", "b&", "", false, 1},
	{"news:", "*", "", true, 1},
	{"news:", "/", "@h", false, 1},
	{"news:a@", "b/", "", false, 1},
	{"nntp://h/a/", "1", "-", true, 1},
	{"file:/", "a//", "", true, 1},
	{"wais://h/d/T/1", "/1=a;", "", false, 1},
	{"wais://h/d/T/1/", "1=/;", "", true, 1},
	{"gopher://h/1", "%09", "", true, 1},
	{"mid:", "@", "", false, 1},
	{"z39.50r://h/", "+", ";rs=a", true, 1},
	{"x:", "//a:b@", "", true, 16},
	{"x://", "a:b@", "", false, 1},
	{"x:/", "../", "", true, 1},
	{"http://h/", "%25%32%35", "", true, 1},
	{"http://h/a/b?", "//a:b@", "", true, 1},
	{"mailto:a?b=", "?", "", true, 1},
	{"ftps://u:", "%40", "@h/;type=a", true, 1},
	{"https://", "%E3%80%82", "/", true, 1},
	{"x://h/", "a;b=c&d?e/", "#f", true, 1},
}

// Nothing of a text is read again and again: texts of 1 or 16 MiB, with LOCATOR_LONG all of 16, take no longer than it takes
// to look at each octet a few times. Were it otherwise, this test would not end. TestSteps counts.
//
// Covers: S2
func TestParseLong(t *testing.T) {
	t.Parallel()
	for _, c := range strictLong {
		s := c.whole()
		u, err := Parse(s)
		if (err == nil) != c.ok {
			t.Fatalf("%.20q...: %v", s, err)
		}
		Redact(s)
		if err != nil {
			continue
		}
		u.Redacted()
		u.Canonical()
		u.Parts()
		if _, err := Build(u.View()); err != nil {
			t.Fatalf("%.20q...: %v", s, err)
		}
	}
}

// The same for Current, and for all that is done with a URL of it.
//
// Covers: S2, S21f
func TestCurrentLong(t *testing.T) {
	t.Parallel()
	for _, c := range currentLong {
		s := c.whole()
		u, err := Current.Parse(s)
		if (err == nil) != c.ok {
			t.Fatalf("%.20q...: %v", s, err)
		}
		if err != nil && len(err.Error()) > 400 {
			t.Fatalf("%.20q...: %.500v", s, err)
		}
		for _, f := range Vet(u) {
			if len(f.Message) > 400 {
				t.Fatalf("%.20q...: %.500s", s, f.Message)
			}
		}
		everything(s[:min(len(s), most())])
	}
}

// everything is all that is done with a text that somebody else wrote.
func everything(s string) {
	Redact(s)
	Unwrap(s)
	SplitFragment(s)
	var v URL
	v.UnmarshalText([]byte(s))
	v.Set(s)
	v.Scan(s)
	base := MustParse("http://h/a/b?c")
	base.Resolve(s)
	base.ResolveLoose(s)
	base.Resolve("x/" + s)
	if u, err := RFC1738.Parse(s); err == nil {
		u.Canonical()
		Build(u.View())
	}
	u, err := Current.Parse(s)
	if err != nil {
		_ = err.Error()
		return
	}
	u.Redacted()
	u.Canonical()
	u.Parts()
	if w, err := Build(u.View()); err == nil {
		Equal(u, w)
	}
	u.ASCII()
	u.Readable()
	u.Clauses()
	Vet(u)
	for range Delimiters(u) {
	}
	u.Resolve("../x")
	u.ResolveLoose(u.Scheme() + ":x")
	u.Resolve(s)
	u.Relativize(u)
	base.Relativize(u)
	u.WithFragment(Some("x"))
	u.WithoutLogin()
}

// stepsOf is a text that TestSteps has a program of its own read: its number and size.
const stepsOf = "LOCATOR_STEPS"

// TestStepsProgram is that program: it does everything with one text, and nothing else. By itself it does nothing.
func TestStepsProgram(t *testing.T) {
	number, size, ok := strings.Cut(os.Getenv(stepsOf), ":")
	if !ok {
		return
	}
	n, _ := strconv.Atoi(number)
	length, _ := strconv.Atoi(size)
	c := append(strictLong, currentLong...)[n]
	c.after = c.after[:min(len(c.after), length)]
	everything(c.text(length))
}

// Four times the text takes four times the steps. A step is one execution of a block of this package, package strings or bytes, as the
// counters of the coverage tool count them: there is no clock in it.
//
// Covers: S2, S21f
func TestSteps(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	program := filepath.Join(dir, "steps")
	build := exec.Command("go", "test", "-c", "-covermode=count", "-coverpkg=locator,strings,bytes", "-o", program, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const size = 6 << 10
	for n, c := range append(strictLong, currentLong...) {
		profile := filepath.Join(dir, "profile")
		once, more := countSteps(t, program, profile, n, size), countSteps(t, program, profile, n, 4*size)
		t.Logf("%d and %d steps for %.30q...", once, more, c.text(60))
		if more > 4*once+once/5 {
			t.Errorf("%d octets of %.30q... take %d steps, %d octets %d", size, c.text(60), once, 4*size, more)
		}
	}
}

// countSteps is the number of blocks that the program runs through for a text of the size.
func countSteps(t *testing.T, program, profile string, n, size int) (steps int) {
	t.Helper()
	run := exec.Command(program, "-test.run=^TestStepsProgram$", "-test.coverprofile="+profile)
	run.Env = append(os.Environ(), fmt.Sprintf("%s=%d:%d", stepsOf, n, size))
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	f, err := os.Open(profile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		fields := strings.Fields(lines.Text()) // file:from,to statements count
		if len(fields) == 3 {
			count, err := strconv.Atoi(fields[2])
			if err != nil {
				t.Fatal(err)
			}
			steps += count
		}
	}
	if steps < size/10 {
		t.Fatalf("%d octets are read in %d steps: nothing was counted", size, steps)
	}
	return steps
}
