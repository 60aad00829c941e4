package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"gitlab.com/golang-commonmark/linkify"
	"mvdan.cc/xurls/v2"

	"locator/find"
	"locator/find/format"
	"locator/internal/corpus"
)

// expression is the regular expression for the ten schemes and https that find.sh gives to ripgrep.
const expression = `\b(?:ftp|https?|gopher|mailto|news|nntp|telnet|wais|file|prospero):[^\s<>"]+`

// finder is a finder of URLs.
type finder struct {
	name    string
	find    func(d *corpus.Document) ([]corpus.Found, error)
	options corpus.Options
}

// finders returns the finders in the order of the columns. Those that know no wrappers or no
// formats are compared leniently: the URL must be right and lie within the place.
func finders() []finder {
	return []finder{
		{"locator", formats, corpus.Options{}},
		{"locator, plain text", plain, corpus.Options{Lenient: true}},
		{"xurls Strict", expressions(xurls.Strict()), corpus.Options{Lenient: true}},
		{"xurls Relaxed", expressions(xurls.Relaxed()), corpus.Options{Lenient: true}},
		{"linkify", links, corpus.Options{Lenient: true}},
		{"expression", expressions(regexp.MustCompile(expression)), corpus.Options{Lenient: true}},
	}
}

// formats finds in the format that is detected.
func formats(d *corpus.Document) ([]corpus.Found, error) {
	var all []corpus.Found
	f := format.Detect(d.Name, []byte(d.Text[:min(len(d.Text), format.HeadSize)]))
	for f, err := range f.Read(context.Background(), strings.NewReader(d.Text), format.Options{}) {
		if err != nil {
			return nil, err
		}
		all = append(all, corpus.Found{
			Form: f.Form.String(), Offset: int(f.Offset), Length: int(f.Length), URL: f.Text(), Alternatives: f.Alternatives,
		})
	}
	return all, nil
}

// plain finds as if all documents were plain text.
func plain(d *corpus.Document) ([]corpus.Found, error) {
	var all []corpus.Found
	for f := range new(find.Finder).All(d.Text) {
		all = append(all, corpus.Found{
			Form: f.Form.String(), Offset: int(f.Offset), Length: int(f.Length), URL: f.Text(), Alternatives: f.Alternatives,
		})
	}
	return all, nil
}

// expressions finds what matches a regular expression.
func expressions(re *regexp.Regexp) func(d *corpus.Document) ([]corpus.Found, error) {
	return func(d *corpus.Document) ([]corpus.Found, error) {
		var all []corpus.Found
		for _, m := range re.FindAllStringIndex(d.Text, -1) {
			all = append(all, corpus.Found{Offset: m[0], Length: m[1] - m[0], URL: d.Text[m[0]:m[1]]})
		}
		return all, nil
	}
}

// links finds with the Go port of linkify-it, each line alone.
func links(d *corpus.Document) ([]corpus.Found, error) {
	var all []corpus.Found
	offset := 0
	for line := range strings.Lines(d.Text) {
		for _, l := range linkify.Links(line) {
			all = append(all, corpus.Found{Offset: offset + l.Start, Length: l.End - l.Start, URL: line[l.Start:l.End]})
		}
		offset += len(line)
	}
	return all, nil
}

// score prints a table of all finders, in Markdown.
func score(w *bufio.Writer, folder, misses string) error {
	docs, err := corpus.Read(os.DirFS(folder))
	if err != nil {
		return err
	}
	list := finders()
	if misses != "" {
		if list = slices.DeleteFunc(list, func(f finder) bool { return f.name != misses }); len(list) == 0 {
			return fmt.Errorf("-misses: there is no finder %q", misses)
		}
	}
	scores := make([]corpus.Score, len(list))
	for i, f := range list {
		for _, d := range docs {
			found, err := f.find(&d)
			if err != nil {
				return fmt.Errorf("%s: %s: %w", f.name, d.Name, err)
			}
			scores[i].Compare(&d, found, f.options)
		}
	}
	if misses != "" {
		fmt.Fprintln(w, strings.Join(scores[0].Misses, "\n"))
		return nil
	}
	fmt.Fprint(w, "| | places |")
	for _, f := range list {
		fmt.Fprintf(w, " %s |", f.name)
	}
	fmt.Fprintf(w, "\n|---|---:|%s\n", strings.Repeat("---:|", len(list)))
	row := func(name string, labels int, value func(s *corpus.Score) float64) {
		fmt.Fprintf(w, "| %s | %d |", name, labels)
		for i := range scores {
			fmt.Fprintf(w, " %.3f |", value(&scores[i]))
		}
		fmt.Fprintln(w)
	}
	for _, r := range scores[0].Rows() {
		tally := func(s *corpus.Score) corpus.Tally {
			rows := s.Rows()
			return rows[slices.IndexFunc(rows, func(other corpus.Row) bool { return other.Name == r.Name })].Tally
		}
		if r.Name == "all" {
			row("precision", r.Labels, func(s *corpus.Score) float64 { return tally(s).Precision() })
			row("recall", r.Labels, func(s *corpus.Score) float64 { return tally(s).Recall() })
			row("**F1**", r.Labels, func(s *corpus.Score) float64 { return tally(s).F1() })
			continue
		}
		row(r.Name, r.Labels, func(s *corpus.Score) float64 { return tally(s).F1() })
	}
	return nil
}
