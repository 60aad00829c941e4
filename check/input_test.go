package check_test

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"locator/check"
	"locator/client"
	"locator/find/search"
	"locator/scheme/all"
)

// One URL is one request, wherever it stands; what is excluded is not even parsed; places are kept.
func TestInput(t *testing.T) {
	t.Parallel()
	c := client.New(client.Options{Registry: all.Registry()})
	defer c.Close()
	run, err := check.NewMemory(nil).Begin(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	excluded, err := check.Matcher([]string{"^http://skip", "bad host"})
	if err != nil {
		t.Fatal(err)
	}
	text := "See http://a.example/x and <URL:http://A.example/x#part>.\r\nhttp://skip.example/ ftp://b.example/"
	in := &check.Input{
		Run: run, Checker: &check.Checker{Client: c, Excluded: excluded, Schemes: []string{"http", "mailto"}},
		Search: &search.Search{Stdin: func() io.Reader { return strings.NewReader(text) }},
	}
	if err := in.List(t.Context(), strings.NewReader("# list\nhttp://a.example/x\tA title\nhttp://bad host/\nhttp://%zz/\nMAILTO:a@b\n"), "list"); err != nil {
		t.Fatal(err)
	}
	if err := in.Texts(t.Context(), "-"); err != nil {
		t.Fatal(err)
	}
	if err := in.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if in.Count() != 7 {
		t.Errorf("%d URLs, want 7", in.Count())
	}
	if err := run.Seal(t.Context()); err != nil {
		t.Fatal(err)
	}
	var got []string
	err = run.Work(t.Context(), 1, func(ctx context.Context, b check.Bucket) error {
		hosts, err := b.Hosts(ctx)
		if err != nil {
			return err
		}
		var done []check.Done
		for _, h := range hosts {
			tasks, err := b.Tasks(ctx, h.Name, 10)
			if err != nil {
				return err
			}
			for _, task := range tasks {
				done = append(done, check.Done{Task: task, Result: &check.Result{URL: task.URL, Verdict: check.OK}})
			}
		}
		return b.Commit(ctx, done, nil)
	})
	if err != nil {
		t.Fatal(err)
	}
	for r, err := range run.Results(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		line := string(r.Verdict) + " " + string(r.Why) + " " + r.URL
		for _, p := range r.Sources {
			line += " " + p.File + ":" + string(rune('0'+p.Line))
		}
		got = append(got, line)
	}
	want := []string{
		"ok  http://a.example/x list:2 -:1 -:1", "skipped excluded http://bad host/ list:3", "broken malformed http://%zz/ list:4", "ok  MAILTO:a@b list:5",
		"skipped excluded http://skip.example/ -:2",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A URL that is named is followed, also if a text that is named before has it.
func TestNamedTwice(t *testing.T) {
	t.Parallel()
	c := client.New(client.Options{Registry: all.Registry()})
	defer c.Close()
	run, err := check.NewMemory(nil).Begin(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	const u = "http://a.example/sitemap.xml"
	in := &check.Input{Run: run, Checker: &check.Checker{Client: c}, Search: &search.Search{Stdin: func() io.Reader { return strings.NewReader(u) }}}
	if err := errors.Join(in.Named(t.Context(), "-", u), in.Flush(t.Context()), run.Seal(t.Context())); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err = run.Work(ctx, 1, func(ctx context.Context, b check.Bucket) error {
		defer cancel()
		tasks, err := b.Tasks(ctx, "a.example", 10)
		if len(tasks) != 1 || tasks[0].Depth == 0 {
			t.Errorf("%+v", tasks)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// A compressed file is read if it is named; in a folder it is not.
func TestCompressedInput(t *testing.T) {
	t.Parallel()
	c := client.New(client.Options{Registry: all.Registry()})
	defer c.Close()
	dir := t.TempDir()
	name := filepath.Join(dir, "sitemap.xml.gz")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(f)
	io.WriteString(z, "<urlset>\n<url><loc>http://a.example/?a&amp;b</loc></url></urlset>")
	if err := errors.Join(z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	for named, want := range map[string]int64{name: 1, dir: 0} {
		run, err := check.NewMemory(nil).Begin(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		in := &check.Input{Run: run, Checker: &check.Checker{Client: c}, Wanted: func(at check.Place) bool { return at.File == name && at.Line == 2 }}
		if err := in.Named(t.Context(), named); err != nil || in.Count() != want {
			t.Errorf("%s: %d URLs, %v", named, in.Count(), err)
		}
	}
}
