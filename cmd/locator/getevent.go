package main

import (
	"errors"
	"time"

	"locator/client"
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
	Error    *octets `json:"error,omitempty"`
}

// orNull is nil for an empty text.
func orNull(s string) *octets {
	if s == "" {
		return nil
	}
	o := octets(s)
	return &o
}

// timeText is a time in the form of all JSON output (RFC 3339), "" where it is unknown.
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

// report says how the get of one URL ended.
func (g *getter) report(err error) {
	if err != nil {
		g.show.failed.Add(1)
	}
	g.event.MS = time.Since(g.start).Milliseconds()
	code := client.CodeOf(err)
	if !g.app.flags.json {
		if err != nil && code != scheme.CodeInterrupted { // the program says that once
			g.app.fail(err)
		}
		return
	}
	g.app.status.add(code)
	g.event.Status = code.Exit()
	if err != nil {
		g.event.Error = orNull(errorText(err))
	}
	line, _ := marshal(g.event) // strings, numbers and booleans only
	g.app.errMu.Lock()
	defer g.app.errMu.Unlock()
	g.app.Err.Write(append(line, '\n'))
}

// errorText is an error without the URL, which stands in a field of its own. What a peer said is escaped in it already,
// and the rest is the matter of JSON.
func errorText(err error) string {
	var e *scheme.Error
	if errors.As(err, &e) {
		bare := *e
		bare.URL = ""
		err = &bare
	}
	return err.Error()
}
