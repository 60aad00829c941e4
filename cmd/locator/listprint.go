package main

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"locator"
	"locator/internal/console"
	"locator/scheme"
)

// entryForm is a form of entries in the output. end prints what is held back; it may be nil.
type entryForm struct {
	print func(out *bufio.Writer, e scheme.Entry) error
	end   func(out *bufio.Writer)
}

// entryForm returns the form for a listing at u: JSON, on a terminal that for people, and columns otherwise.
func (a *app) entryForm(w io.Writer, u locator.URL, urls bool) entryForm {
	switch {
	case a.flags.json:
		return a.jsonForm()
	case console.IsTerminal(w):
		return peopleForm(u, console.Width(w), urls)
	}
	return columnsForm
}

// jsonForm prints entries as objects.
func (a *app) jsonForm() entryForm {
	return entryForm{print: func(out *bufio.Writer, e scheme.Entry) error {
		j := entryOf(e)
		j.Line = a.at.line
		line, err := marshal(j)
		if err == nil {
			out.Write(append(line, '\n'))
		}
		return err
	}}
}

var columnsForm = entryForm{print: func(out *bufio.Writer, e scheme.Entry) error {
	printEntry(out, e)
	printAbstract(out, e)
	for _, m := range e.Mirrors {
		printEntry(out, m)
	}
	return nil
}}

// printAbstract prints the summary of an entry, which --details requests.
func printAbstract(out io.Writer, e scheme.Entry) {
	if e.Attr.Abstract != "" {
		for line := range strings.SplitSeq(e.Attr.Abstract, "\n") {
			fmt.Fprintf(out, "    %s\n", safe(line))
		}
	}
}

// printEntries prints entries as they arrive, up to the first error.
func (a *app) printEntries(w io.Writer, seq iter.Seq2[scheme.Entry, error], form entryForm) error {
	out := bufio.NewWriter(w)
	end := func() error {
		if form.end != nil {
			form.end(out)
		}
		return outputError(out.Flush())
	}
	for e, err := range seq {
		if err != nil {
			end()
			return err
		}
		if err := form.print(out, e); err != nil {
			return err
		}
		if out.Buffered() > 16<<10 || console.IsTerminal(w) {
			if err := outputError(out.Flush()); err != nil {
				return err
			}
		}
	}
	return end()
}

func printEntry(w io.Writer, e scheme.Entry) {
	size, modified, u := "-", "-", "-"
	if n, ok := e.Attr.Size.Get(); ok {
		size = strconv.FormatInt(n, 10)
	}
	if t := timeText(e.Attr.Modified); t != "" {
		modified = t
	}
	if !e.URL.IsZero() {
		u = e.PlainURL().Redacted()
	}
	author := ""
	if e.Attr.From != "" {
		author = "\t" + safe(e.Attr.From)
	}
	fmt.Fprintf(w, "%-8s %10s %20s  %s  %s%s\n", e.Kind, size, modified, safe(u), safe(e.Name), author)
}

// jsonEntry is an entry of list --json. An unknown value is null.
type jsonEntry struct {
	Name       octets      `json:"name"`
	URL        *octets     `json:"url"`
	Kind       string      `json:"kind"`
	Size       *int64      `json:"size"`
	Modified   *octets     `json:"modified"`
	Type       *octets     `json:"type"`
	Alternates []jsonEntry `json:"alternates"`
	Mirrors    []jsonEntry `json:"mirrors"`
	Score      *int64      `json:"score"`
	Lines      *int64      `json:"lines"`
	Admin      *octets     `json:"admin"`
	Views      []octets    `json:"views"`
	Abstract   *octets     `json:"abstract"`
	Precision  *octets     `json:"precision"`
	Mode       *octets     `json:"mode"`
	Owner      *octets     `json:"owner"`
	Group      *octets     `json:"group"`
	Target     *octets     `json:"target"`
	From       *octets     `json:"from"`
	ID         *octets     `json:"id"`
	References []octets    `json:"references"`
	Thread     *octets     `json:"thread"`
	Plain      *octets     `json:"plain"`
	Line       int         `json:"line,omitempty"`
}

func entryOf(e scheme.Entry) jsonEntry {
	j := jsonEntry{
		Name: octets(e.Name), Kind: e.Kind.String(), Size: count(e.Attr.Size), Modified: orNull(timeText(e.Attr.Modified)),
		Type: orNull(e.Attr.Type), Score: count(e.Attr.Score), Lines: count(e.Attr.Lines),
		Alternates: []jsonEntry{}, Mirrors: []jsonEntry{}, Views: []octets{},
		Admin: orNull(e.Attr.Admin), Abstract: orNull(e.Attr.Abstract),
		From: orNull(e.Attr.From), ID: orNull(e.Attr.ID), References: []octets{}, Thread: orNull(threadOf(e)),
		Owner: orNull(e.Attr.Owner), Group: orNull(e.Attr.Group), Target: orNull(e.Target),
	}
	if !e.Attr.Modified.IsZero() {
		j.Precision = orNull(e.Attr.Precision.String())
	}
	if e.Attr.Mode != 0 {
		j.Mode = orNull(e.Attr.Mode.String())
	}
	if !e.URL.IsZero() {
		j.URL, j.Plain = orNull(e.URL.Redacted()), orNull(e.PlainURL().Redacted())
	}
	for _, id := range e.Attr.References {
		j.References = append(j.References, octets(id))
	}
	for _, x := range e.Alternates {
		j.Alternates = append(j.Alternates, entryOf(x))
		j.Views = append(j.Views, octets(x.Name))
	}
	for _, x := range e.Mirrors {
		j.Mirrors = append(j.Mirrors, entryOf(x))
	}
	return j
}

func count(c scheme.Count) *int64 {
	if n, ok := c.Get(); ok {
		return &n
	}
	return nil
}
