// Command bench measures package locator beside net/url, fasthttp and whatwg-url: the same texts, in one run, in turns.
// README.md says how to run it and how to read what it prints.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"runtime/pprof"
	"strings"
	"time"
)

func main() {
	rounds := flag.Int("rounds", 9, "rounds; in each, every operation is measured once")
	each := flag.Duration("time", 100*time.Millisecond, "how long one measurement takes, at least")
	only := flag.String("only", "", "only operations whose name (set/operation) matches this expression")
	urls := flag.String("urls", os.Getenv("LOCATOR_URLS"), "a file with web URLs, one a line; default: made up ones")
	profile := flag.String("cpuprofile", "", "write a processor profile of the measurements to this file")
	flag.Parse()
	o := options{rounds: *rounds, each: *each, only: *only, urls: *urls, out: os.Stdout, table: os.Stderr}
	if err := o.profiled(*profile); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// options are what a run is asked for.
type options struct {
	rounds int
	each   time.Duration
	only   string
	urls   string

	out   io.Writer // measurements, as go test prints them
	table io.Writer // the same for a person
}

// profiled runs, with a profile if it has a name.
func (o options) profiled(name string) error {
	if name == "" {
		return o.run()
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if err = pprof.StartCPUProfile(f); err == nil {
		err = o.run()
		pprof.StopCPUProfile()
	}
	return errors.Join(err, f.Close())
}

// run measures one set after the other.
func (o options) run() error {
	if o.rounds < 1 || o.each < 0 {
		return fmt.Errorf("%d rounds of %v measure nothing", o.rounds, o.each)
	}
	match, err := regexp.Compile(o.only)
	if err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	sets, err := inputs(o.urls)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(o.out)
	fmt.Fprintf(out, "goos: %s\ngoarch: %s\npkg: locator/bench\n", runtime.GOOS, runtime.GOARCH)
	if cpu := processor(); cpu != "" {
		fmt.Fprintf(out, "cpu: %s\n", cpu)
	}
	for i := range sets {
		s := &sets[i]
		var list []*measured
		for _, op := range operations() {
			if op.applies(s) && match.MatchString(s.name+"/"+op.name) {
				list = append(list, &measured{set: s, operation: op})
			}
		}
		if len(list) == 0 {
			continue
		}
		measure(list, o.rounds, o.each)
		for round := range o.rounds {
			for _, m := range list {
				fmt.Fprintln(out, m.line(round))
			}
		}
		if err := out.Flush(); err != nil {
			return err
		}
		if _, err := io.WriteString(o.table, table(s, list)); err != nil {
			return err
		}
	}
	return nil
}

// processor names the processor where the system says so.
func processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
