package main

import (
	"errors"
	"time"

	"locator/client"
	"locator/internal/present"
	"locator/internal/units"
	"locator/scheme"
)

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
	if !g.app.flags.JSON {
		if err != nil && code != scheme.CodeInterrupted { // reported once at the end
			g.app.fail(g.app.of(g.at, err))
		}
		return
	}
	g.app.status.add(code)
	g.event.Status, g.event.Line = code.Exit(), g.at.Line
	if err != nil {
		g.event.Error = present.OrNull(errorText(err))
	}
	line, _ := present.Marshal(g.event) // strings, numbers and booleans only
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
