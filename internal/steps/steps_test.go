package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"locator"
	"locator/vet"
)

// longest returns the text for TestParseLong and TestCurrentLong. It is shorter with the race
// detector, which takes ten times as long; the code has no goroutines.
func (c longText) longest() string {
	size := min(c.size, 4)
	switch {
	case raceEnabled:
		size = 1
	case os.Getenv("LOCATOR_LONG") != "":
		size = 16
	}
	return c.text(size << 20)
}

// prefixSize returns how much of such a text is given to everything: only its beginning, which is a
// hostile text too.
func prefixSize() int {
	switch {
	case raceEnabled:
		return 64 << 10
	case os.Getenv("LOCATOR_LONG") != "":
		return 16 << 20
	}
	return 128 << 10
}

// Parsing reads no part of a text again and again: 1 or 4 MiB (with LOCATOR_LONG always 16) take no
// longer than reading each byte a few times. A quadratic parser would exceed the timeout of this
// test. TestSteps counts.
//
// Covers: S2, T198
func TestParseLong(t *testing.T) {
	t.Parallel()
	for _, c := range strictLong {
		s := c.longest()
		u, err := locator.Parse(s)
		if (err == nil) != c.ok {
			t.Fatalf("%.20q...: %v", s, err)
		}
		locator.Redact(s)
		if err != nil {
			continue
		}
		u.Redacted()
		u.Canonical()
		u.Parts()
		if _, err := locator.Build(u.View()); err != nil {
			t.Fatalf("%.20q...: %v", s, err)
		}
	}
}

// Current, and every function that takes one of its URLs, reads no part of a text again and again.
//
// Covers: S2, S21f, T198
func TestCurrentLong(t *testing.T) {
	t.Parallel()
	for _, c := range currentLong {
		s := c.longest()
		u, err := locator.Current.Parse(s)
		if (err == nil) != c.ok {
			t.Fatalf("%.20q...: %v", s, err)
		}
		if err != nil && len(err.Error()) > 400 {
			t.Fatalf("%.20q...: %.500v", s, err)
		}
		for _, f := range vet.URL(u) {
			if len(f.Message) > 400 {
				t.Fatalf("%.20q...: %.500s", s, f.Message)
			}
		}
		everything(s[:min(len(s), prefixSize())])
	}
}

// A text that is four times as long takes four times as many steps. A step is one execution of a
// block of package locator, repair or internal/span, and with LOCATOR_LONG of strings or bytes, as
// the counters of the coverage tool count it; no clock is involved. Assembly has no counters and is
// not counted.
//
// Covers: S2, S21f, T198
func TestSteps(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	program := filepath.Join(dir, "steps")
	counted := "../..,../../repair,../../find,../span,." // a program without coverage of its main package counts nothing
	if os.Getenv("LOCATOR_LONG") != "" {
		counted += ",strings,bytes" // which recompiles every package that imports them
	}
	output(t, exec.Command("go", "build", "-tags=noasm", "-cover", "-covermode=atomic", "-coverpkg="+counted, "-o", program, "."))
	output(t, exec.Command(program, dir))
	covdata := strings.TrimSpace(output(t, exec.Command("go", "tool", "-n", "covdata")))
	for n, c := range cases() {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			once, more := countSteps(t, covdata, filepath.Join(dir, folder(n, 1))), countSteps(t, covdata, filepath.Join(dir, folder(n, 4)))
			t.Logf("%d and %d steps for %.30q...", once, more, c.text(60))
			if more > 4*once+once/5 {
				t.Errorf("%d bytes of %.30q... take %d steps, %d bytes %d", size, c.text(60), once, 4*size, more)
			}
		})
	}
}

// output runs a command and returns its standard output.
func output(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	return string(out)
}

// countSteps returns the sum of the counters in the folder.
func countSteps(t *testing.T, covdata, dir string) (steps int) {
	t.Helper()
	profile := filepath.Join(dir, "profile")
	output(t, exec.Command(covdata, "textfmt", "-i="+dir, "-o="+profile))
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
		t.Fatalf("%s: %d steps: no steps counted", dir, steps)
	}
	return steps
}
