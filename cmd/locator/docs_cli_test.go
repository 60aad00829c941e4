package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"locator/internal/manual"
	"locator/internal/present"
	"locator/scheme"
)

// page reads docs/cli.md.
func page(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The documented exit statuses are those of the code.
func TestPageStatuses(t *testing.T) {
	t.Parallel()
	now := page(t)
	row := regexp.MustCompile(`(?m)^\| (\d+) \| [^|]+ \| (\d*) ?\|$`)
	documented := make(map[string][]string)
	for _, m := range row.FindAllStringSubmatch(now, -1) {
		documented[m[1]] = append(documented[m[1]], m[2])
	}
	for c := scheme.CodeOK; c <= scheme.CodeChallenge; c++ {
		http, ok := documented[fmt.Sprint(c.Exit())]
		if !ok {
			t.Errorf("exit status %d (%v) is not documented", c.Exit(), c)
		}
		if ok && http[0] != "" && !slices.Contains(http, fmt.Sprint(c.HTTP())) {
			t.Errorf("%v is documented as HTTP %s, and is %d", c, http, c.HTTP())
		}
	}
	if statuses := manual.ExitStatuses(); len(statuses) != len(documented) {
		t.Errorf("%d statuses are documented, there are %d: %v", len(documented), len(statuses), statuses)
	}
	sentence := regexp.MustCompile(`^[A-Z].*[^.]\.$`)
	for _, s := range manual.ExitStatuses() {
		if !sentence.MatchString(s.Meaning) {
			t.Errorf("the manual page says %q of status %d", s.Meaning, s.Exit)
		}
	}
}

// TestPageFlagsAndVerbs checks that docs/cli.md documents every verb, and no flag that does not
// exist.
func TestPageFlagsAndVerbs(t *testing.T) {
	t.Parallel()
	now := page(t)
	root := (&app{}).root()
	flags := make(map[string]bool)
	add := func(f *pflag.Flag) { flags["--"+f.Name] = true }
	root.Flags().VisitAll(add)
	verbs := make(map[string]bool)
	for _, c := range root.Commands() {
		if c.Hidden { // a former name
			continue
		}
		c.LocalFlags().VisitAll(add)
		verbs[c.Name()] = true
	}
	flag := regexp.MustCompile(`--[a-z][a-z0-9-]*`)
	for _, name := range flag.FindAllString(now, -1) {
		if !flags[name] {
			t.Errorf("there is no %s", name)
		}
	}
	if got := firstColumn(section(t, now, "Verbs"), "verb"); fmt.Sprint(set(got)) != fmt.Sprint(verbs) {
		t.Errorf("documented are %v, there are %v", got, verbs)
	}
}

// TestGuideFlags checks that the pages for users name no flag that no verb has.
func TestGuideFlags(t *testing.T) {
	t.Parallel()
	root := (&app{}).root()
	flags := map[string]bool{"--help": true, "--version": true}
	add := func(f *pflag.Flag) { flags["--"+f.Name] = true }
	root.Flags().VisitAll(add)
	for _, c := range root.Commands() {
		c.LocalFlags().VisitAll(add)
	}
	pages := []string{"../../README.md", "../../CHANGELOG.md"}
	for _, pattern := range []string{"../../docs/*.md", "../../docs/guides/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) < 3 {
			t.Fatal(pattern, found, err)
		}
		pages = append(pages, found...)
	}
	flag := regexp.MustCompile("(?m)(?:^|[\\s`(])(--[a-z][a-z0-9-]*)")
	for _, name := range pages {
		switch filepath.Base(name) {
		case "cli.md", "install.md": // see TestPageFlagsAndVerbs; commands of other programs
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range flag.FindAllStringSubmatch(string(text), -1) {
			if !flags[m[1]] {
				t.Errorf("%s: there is no %s", name, m[1])
			}
		}
	}
}

// TestPageSections checks that docs/cli.md has a section for every verb, and that its table of
// flags has exactly the verb's flags.
func TestPageSections(t *testing.T) {
	t.Parallel()
	now := page(t)
	a := &app{}
	root := a.root()
	check := func(heading string, flags *pflag.FlagSet) {
		var want []string
		flags.VisitAll(func(f *pflag.Flag) {
			want = append(want, "--"+f.Name)
			if f.Shorthand != "" {
				want = append(want, "-"+f.Shorthand)
			}
		})
		var got []string
		for _, name := range firstColumn(section(t, now, heading), "flag") {
			name, _, _ = strings.Cut(name, " ")
			got = append(got, name)
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: documented are the flags %v, there are %v", heading, got, want)
		}
	}
	check("Shared flags", a.flags.All)
	for _, c := range root.Commands() {
		if c.Hidden { // a former name
			continue
		}
		check(c.Name(), manual.OwnFlags(c))
	}
}

// TestPageFields checks that the tables of fields in docs/cli.md have exactly the fields of the
// JSON output.
func TestPageFields(t *testing.T) {
	t.Parallel()
	now := page(t)
	printed := func(input string, args ...string) []string {
		out, _, _ := runText(t, input, args...)
		var names []string
		for line := range strings.Lines(out) {
			var object map[string]any
			if err := json.Unmarshal([]byte(line), &object); err != nil {
				t.Fatalf("%v: %v", args, err)
			}
			names = slices.AppendSeq(names, maps.Keys(object))
		}
		return names
	}
	tags := func(v any) []string {
		var names []string
		for f := range reflect.TypeOf(v).Fields() {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			names = append(names, name)
		}
		return names
	}
	parse := printed("ftp://h/\nx\nhttp:/h.example/", "parse", "--json", "--repair")
	explain := slices.DeleteFunc(printed("ftp://h/", "explain", "--json", "--compare"), func(name string) bool { return slices.Contains(parse, name) })
	for verb, want := range map[string][]string{
		"parse":   parse,
		"explain": explain,
		"get":     tags(present.Get{}),
		"list":    tags(present.Entry{}),
		"attr":    tags(present.Attributes{}),
		"put":     tags(present.Put{}),
		"rm":      append(printed("x", "rm", "--json", "-"), "files", "folders"),
		"mv":      printed("", "mv", "--json", "x", "y"),
		"mkdir":   printed("x", "mkdir", "--json", "-"),
		"find":    append(printed("http://h/ <URL:x:^>", "find", "--json", "--with-context"), "reference", "page", "repaired"),
		"schemes": printed("", "schemes", "--json"),
		"version": printed("", "version", "--json"),
	} {
		got := firstColumn(section(t, now, verb), "field")
		if fmt.Sprint(set(got)) != fmt.Sprint(set(want)) {
			t.Errorf("%s: documented are the fields %v, there are %v", verb, set(got), set(want))
		}
	}
}

// section returns the text below a heading of the second level, up to the next one.
func section(t *testing.T, page, heading string) string {
	t.Helper()
	_, rest, ok := strings.Cut(page, "\n## "+heading+"\n")
	if !ok {
		t.Fatalf("docs/cli.md has no section %q", heading)
	}
	text, _, _ := strings.Cut(rest, "\n## ")
	return text
}

// firstColumn returns what stands as code in the first column of each table whose first column has
// that heading.
func firstColumn(text, heading string) []string {
	var list []string
	code := regexp.MustCompile("`([^`]+)`")
	inside := false
	for line := range strings.Lines(text) {
		cells := strings.Split(line, " | ")
		switch {
		case !strings.HasPrefix(line, "|"):
			inside = false
		case cells[0] == "| "+heading:
			inside = true
		case inside:
			for _, m := range code.FindAllStringSubmatch(cells[0], -1) {
				list = append(list, m[1])
			}
		}
	}
	return list
}

// set returns the elements of a list as the keys of a map, which fmt prints in order.
func set(list []string) map[string]bool {
	m := make(map[string]bool)
	for _, s := range list {
		m[s] = true
	}
	return m
}

// Every verb has a manual page and a help text of its own.
func TestEveryVerbIsDescribed(t *testing.T) {
	t.Parallel()
	root := (&app{}).root()
	for _, c := range root.Commands() {
		if c.Hidden { // a former name
			continue
		}
		if c.Short == "" || c.Long == "" || c.RunE == nil {
			t.Errorf("%s has no description, or does nothing", c.Name())
		}
		for line := range strings.SplitSeq(c.Example, "\n") {
			if !strings.Contains(line, "locator "+c.Name()) && !strings.Contains(c.Example, "locator "+c.Name()) {
				t.Errorf("%s has the example %q", c.Name(), line)
			}
		}
		out, errs, status := runText(t, "", "man", c.Name())
		if status != 0 || !strings.Contains(out, `.TH "LOCATOR-`+strings.ToUpper(c.Name())+`"`) {
			t.Errorf("man %s: status %d, %s", c.Name(), status, errs)
		}
	}
	shared := manual.Grouped(manual.OwnFlags(root))
	if last := shared[len(shared)-1]; last.Name == "Other" {
		t.Errorf("flags without a group: %v", last.Flags[0].Name)
	}
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		for _, g := range manual.Grouped(manual.OwnFlags(c)) {
			for _, f := range g.Flags {
				if word := f.Value.Type(); g.Name == "Other" || word != "bool" && word != strings.ToUpper(word) {
					t.Errorf("%s: --%s stands in the group %s, with %s for its value", c.Name(), f.Name, g.Name, word)
				}
			}
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Usage == "" {
				t.Errorf("%s: --%s is not described", c.Name(), f.Name)
			}
		})
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(root)
}

// The links between the documents of this project lead somewhere, with their fragments.
func TestOwnLinks(t *testing.T) {
	t.Parallel()
	args := []string{"check", "--scheme", "file", "--fragments", "--fail-on", "broken,unsure", "--retry-after", "0", "--exclude-url", "^file:(/[^/]|///(a$|[cC]:?|x$|[cC]:/|etc/host$|srv/www/))"}
	for _, name := range []string{"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "docs", "contrib", "bench/README.md"} {
		args = append(args, filepath.Join("..", "..", name))
	}
	out, errs, status := runText(t, "", args...)
	if status != 0 || !strings.Contains(out, " ok, ") {
		t.Errorf("status %d\n%s%s", status, out, errs)
	}
}
