package report

import (
	"fmt"
	"strconv"
	"strings"

	"locator/check"
	"locator/wire"
)

// maxWords is the most bytes of the words of a server, or of a note, in a listing.
const maxWords = 500

// subject returns what a finding is about: the URL, or the dead host.
func (f *finding) subject() string {
	if f.urls > 1 {
		return "host " + wire.TextLine(f.host)
	}
	return wire.TextLine(f.URL)
}

// extent says how many URLs of a dead host there are; it is empty for a URL.
func (f *finding) extent() string {
	if f.urls > 1 {
		return fmt.Sprintf("%d URLs, such as %s", f.urls, wire.TextLine(f.URL))
	}
	return ""
}

// reason says why a URL has its verdict, such as "not found (404 Not Found)".
func (f *finding) reason() string {
	var parts []string
	if f.Why != "" {
		parts = append(parts, string(f.Why))
	}
	if words := f.words(); words != "" && (f.Why != "" || f.Verdict.IsProblem()) {
		parts = append(parts, "("+words+")")
	}
	if f.Verdict == check.Moved && f.To != "" {
		parts = append(parts, "to "+wire.TextLine(f.To))
	}
	if f.Verdict.IsProblem() && f.Final != "" {
		parts = append(parts, "after a redirect to "+wire.TextLine(f.Final))
	}
	if f.Fails > 1 && !f.Since.IsZero() {
		parts = append(parts, fmt.Sprintf("in %d runs since %s", f.Fails, f.Since.UTC().Format("2006-01-02")))
	}
	return strings.Join(parts, " ")
}

// words returns what the server said, and what the checker says of it.
func (f *finding) words() string {
	reply := line(f.Reply)
	if status := wire.TextLine(f.Status); status != "" && !strings.HasPrefix(reply, status) {
		reply = strings.TrimSpace(status + " " + reply)
	}
	note := line(f.Note)
	if note == "" || note == reply {
		return reply
	}
	if reply == "" {
		return note
	}
	return reply + "; " + note
}

// line returns a text of a stranger on one line that is not too long.
func line(s string) string {
	if len(s) > maxWords {
		s = strings.ToValidUTF8(s[:maxWords], "") + "..."
	}
	return wire.TextLine(s)
}

// sentence is the whole finding on one line, for formats that have one message per finding.
func (f *finding) sentence() string {
	return f.verdict() + ": " + f.subject() + colon(f.reason()) + colon(f.extent())
}

// verdict returns the verdict, and what it is beside the run before.
func (f *finding) verdict() string {
	if f.mark == "" {
		return string(f.Verdict)
	}
	return string(f.Verdict) + " (" + f.mark + ")"
}

// placeText returns a place as compilers write it: file, line and column with colons.
func placeText(p check.Place) string {
	text := wire.TextLine(p.File)
	if p.File == "-" {
		text = "standard input"
	}
	if p.Line > 0 {
		text += ":" + strconv.Itoa(p.Line)
		if p.Column > 0 {
			text += ":" + strconv.Itoa(p.Column)
		}
	}
	return text
}

// morePlaces says how many places are not listed; it is empty if all are.
func (f *finding) morePlaces() string {
	if n := f.places - len(f.Sources); n > 0 {
		return "and " + countOf(n, "more place")
	}
	return ""
}

// moreFindings says how many URLs are not listed; it is empty if all are.
func moreFindings(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "1 more URL is not listed"
	}
	return fmt.Sprintf("%d more URLs are not listed", n)
}

// joinMore says how many URLs, and places of URLs that are listed, a format with one message per
// place has left out; it is empty if there are none.
func joinMore(urls, places int) string {
	if places == 0 {
		return moreFindings(urls)
	}
	text := countOf(places, "more place") + " of URLs not listed"
	if urls == 0 {
		return text
	}
	return moreFindings(urls) + ", and " + text
}
