package main

import (
	"errors"
	"time"

	"locator/client"
	"locator/internal/units"
	"locator/scheme"
)

// event is the object that get --json writes to standard error for each URL.
type event struct {
	URL      octets  `json:"url"`
	Final    *octets `json:"final"`
	Kind     *octets `json:"kind"`
	Status   int     `json:"status"`
	Bytes    int64   `json:"bytes"`
	MS       int64   `json:"ms"`
	Type     *octets `json:"type"`
	Modified *octets `json:"modified"`
	File     *octets `json:"file"`
	SHA256   *octets `json:"sha256"`
	Resumed  bool    `json:"resumed"`
	Verified *octets `json:"verified,omitempty"`
	Target   *octets `json:"target,omitempty"`
	Skipped  *octets `json:"skipped,omitempty"`
	Messages *int    `json:"messages,omitempty"`
	Error    *octets `json:"error,omitempty"`
	Line     int     `json:"line,omitempty"`
}

// orNull returns nil for an empty string.
func orNull(s string) *octets {
	if s == "" {
		return nil
	}
	o := octets(s)
	return &o
}

// timeText formats a time by RFC 3339. It returns "" for the zero time.
func timeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

func (e *event) describe(res *scheme.Resource) {
	e.Final = orNull(res.URL.Redacted())
	e.Kind = orNull(res.Kind.String())
	e.Type = orNull(res.Attr.Type)
	e.Modified = orNull(timeText(res.Attr.Modified))
}

// report reports how the get of one URL ended: as an event with --json, as a message otherwise.
func (g *getter) report(err error) {
	if !g.o.recursive.on {
		err = explainPattern(g.c, string(g.event.URL), err)
	}
	if err != nil {
		g.show.Fail(textOf(g.app.of(g.at, err)))
	}
	if err == nil && g.event.File == nil { // of a file there is a line anyway
		g.app.sayTime(string(g.event.URL), g.start, ", "+units.Size(g.event.Bytes))
	}
	g.event.MS = time.Since(g.start).Milliseconds()
	code := client.CodeOf(err)
	if !g.app.flags.json {
		if err != nil && code != scheme.CodeInterrupted { // reported once at the end
			g.app.fail(g.app.of(g.at, err))
		}
		return
	}
	g.app.status.add(code)
	g.event.Status, g.event.Line = code.Exit(), g.at.line
	if err != nil {
		g.event.Error = orNull(errorText(err))
	}
	line, _ := marshal(g.event) // strings, numbers and booleans only
	g.app.messages.Write(append(line, '\n'))
}

// errorText returns the text of an error without the operation and the URL, which is a field of its own.
func errorText(err error) string {
	var e *scheme.Error
	if errors.As(err, &e) {
		bare := *e
		bare.Op, bare.URL = "", ""
		err = &bare
	}
	return textOf(err)
}
