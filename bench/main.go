// Command bench compares the speed of package locator with net/url, fasthttp and whatwg-url: the
// same texts, in one process, in turns. README.md describes how to run it and how to read its
// output.
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
	each := flag.Duration("time", 100*time.Millisecond, "minimum time of one measurement")
	only := flag.String("only", "", "measure only operations whose name (set/operation) matches this regular expression")
	urls := flag.String("urls", os.Getenv("LOCATOR_URLS"), "a file with web URLs, one per line; default: generated ones")
	profile := flag.String("cpuprofile", "", "write a CPU profile of the measurements to this file")
	flag.Parse()
	o := options{rounds: *rounds, each: *each, only: *only, urls: *urls, out: os.Stdout, table: os.Stderr}
	if err := o.profiled(*profile); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// options are the options of a run.
type options struct {
	rounds int
	each   time.Duration
	only   string
	urls   string

	out   io.Writer // measurements in the format of go test
	table io.Writer // the same as a table
}

// profiled runs the benchmarks and writes a CPU profile to the file name, if it is not "".
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

// run measures each set.
func (o options) run() error {
	if o.rounds < 1 || o.each < 0 {
		return fmt.Errorf("%d rounds of %v: need at least one round and a positive time", o.rounds, o.each)
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

// processor returns the name of the processor, if the system provides it.
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
