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

// whole is the text as TestParseLong and TestCurrentLong read it. With the race detector it takes ten times as long, and there
// are no goroutines in it.
func (c longText) whole() string {
	size := c.size
	switch {
	case raceEnabled:
		size = 1
	case os.Getenv("LOCATOR_LONG") != "":
		size = 16
	}
	return c.text(size << 20)
}

// most is how much of such a text goes through everything: its begin, which is another hostile text.
func most() int {
	switch {
	case raceEnabled:
		return 64 << 10
	case os.Getenv("LOCATOR_LONG") != "":
		return 16 << 20
	}
	return 512 << 10
}

// Nothing of a text is read again and again: texts of 1 or 16 MiB, with LOCATOR_LONG all of 16, take no longer than it takes
// to look at each octet a few times. Were it otherwise, this test would not end. TestSteps counts.
//
// Covers: S2
func TestParseLong(t *testing.T) {
	t.Parallel()
	for _, c := range strictLong {
		s := c.whole()
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

// The same for Current, and for all that is done with a URL of it.
//
// Covers: S2, S21f
func TestCurrentLong(t *testing.T) {
	t.Parallel()
	for _, c := range currentLong {
		s := c.whole()
		u, err := locator.Current.Parse(s)
		if (err == nil) != c.ok {
			t.Fatalf("%.20q...: %v", s, err)
		}
		if err != nil && len(err.Error()) > 400 {
			t.Fatalf("%.20q...: %.500v", s, err)
		}
		for _, f := range vet.Check(u) {
			if len(f.Message) > 400 {
				t.Fatalf("%.20q...: %.500s", s, f.Message)
			}
		}
		everything(s[:min(len(s), most())])
	}
}

// Four times the text takes four times the steps. A step is one execution of a block of package locator or of internal/span,
// with LOCATOR_LONG also of package strings or bytes, as the counters of the coverage tool count them: there is no clock in it.
// Assembly has no counters, so it is left out.
//
// Covers: S2, S21f
func TestSteps(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	program := filepath.Join(dir, "steps")
	counted := "locator,locator/internal/span,locator/internal/steps" // without its main package a program counts nothing
	if os.Getenv("LOCATOR_LONG") != "" {
		counted += ",strings,bytes" // and so all that imports them is compiled once more
	}
	output(t, exec.Command("go", "build", "-tags=noasm", "-cover", "-covermode=atomic", "-coverpkg="+counted, "-o", program, "."))
	output(t, exec.Command(program, dir))
	covdata := strings.TrimSpace(output(t, exec.Command("go", "tool", "-n", "covdata")))
	for n, c := range append(strictLong, currentLong...) {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			once, more := countSteps(t, covdata, filepath.Join(dir, folder(n, 1))), countSteps(t, covdata, filepath.Join(dir, folder(n, 4)))
			t.Logf("%d and %d steps for %.30q...", once, more, c.text(60))
			if more > 4*once+once/5 {
				t.Errorf("%d octets of %.30q... take %d steps, %d octets %d", size, c.text(60), once, 4*size, more)
			}
		})
	}
}

// output runs a command and returns what it prints.
func output(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	return string(out)
}

// countSteps is the sum of the counters in the folder.
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
		t.Fatalf("%s: %d steps: nothing was counted", dir, steps)
	}
	return steps
}
