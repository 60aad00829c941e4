package report

import (
	"bufio"
	"context"
	"io"
	"iter"

	"locator/check"
)

// A Report is what is known of a run.
type Report struct {
	Run     check.RunInfo
	Before  *check.RunInfo // the run before; nil if there is none
	Results iter.Seq2[*check.Result, error]
	// Fails reports whether a result makes the check fail. If it is nil, broken ones do.
	Fails func(*check.Result) bool
	// Known reports whether a result is known, as from a baseline. Known ones are not listed and do
	// not make the check fail. Known may be nil.
	Known func(*check.Result) bool
	// Version is that of the program; it may be empty.
	Version string
	// Redirects says that the findings include URLs that have moved.
	Redirects bool
}

// Describe sets Run and Before for a run of a store.
func (r *Report) Describe(ctx context.Context, s check.Store, run check.Run) (err error) {
	if r.Run, err = run.Info(ctx); err != nil {
		return err
	}
	runs, err := s.Runs(ctx)
	for i := range runs {
		if runs[i].Number < r.Run.Number {
			r.Before = &runs[i]
		}
	}
	return err
}

func (r Report) known(result *check.Result) bool { return r.Known != nil && r.Known(result) }

func (r Report) fails(result *check.Result) bool {
	switch {
	case r.known(result):
		return false
	case r.Fails == nil:
		return result.Verdict == check.Broken
	}
	return r.Fails(result)
}

// isFinding reports whether a result is listed.
func (r Report) isFinding(result *check.Result) bool {
	if r.known(result) {
		return false
	}
	return result.Verdict.IsProblem() || result.Why == check.WhyChanged || result.Verdict == check.Moved && r.Redirects || r.fails(result)
}

// A Format is a way to write a report.
type Format struct {
	Name  string // as in a flag: "json"
	Help  string // such as "one JSON object per URL"
	Ext   string // of the name of a file, with its dot
	write func(w *bufio.Writer, r Report) error
}

// Formats returns all formats. The first is the text for people.
func Formats() []Format {
	return []Format{
		{"text", "text for people", ".txt", writeText},
		{"json", "one JSON object per URL and line", ".jsonl", writeJSON},
		{"html", "a page of HTML with plots", ".html", writeHTML},
		{"sarif", "SARIF 2.1.0, for code scanning", ".sarif", writeSARIF},
		{"junit", "JUnit XML, for lists of tests", ".xml", writeJUnit},
		{"csv", "CSV, one row per URL", ".csv", writeCSV},
		{"markdown", "Markdown", ".md", writeMarkdown},
		{"github", "workflow commands that annotate lines on GitHub", ".txt", writeGitHub},
		{"gitlab", "a code quality report for GitLab", ".json", writeGitLab},
	}
}

// FormatNamed returns the format of that name.
func FormatNamed(name string) (Format, bool) {
	for _, f := range Formats() {
		if f.Name == name {
			return f, true
		}
	}
	return Format{}, false
}

// Write writes the report to w. It ends with the first error of the results or of w.
func (f Format) Write(w io.Writer, r Report) error {
	b := bufio.NewWriterSize(w, 32<<10)
	if err := f.write(b, r); err != nil {
		return err
	}
	return b.Flush()
}

// each calls do for each result until one is an error.
func (r Report) each(do func(*check.Result) error) error {
	for result, err := range r.Results {
		if err == nil {
			err = do(result)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
