package report

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"strings"
	"time"

	"locator/check"
	"locator/wire"
)

type junitSuites struct {
	XMLName xml.Name   `xml:"testsuites"`
	Suite   junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr,omitempty"`
	When     string      `xml:"timestamp,attr,omitempty"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	File    string        `xml:"file,attr,omitempty"` // of the first place, which GitLab links to
	Time    string        `xml:"time,attr"`
	Failure *junitMessage `xml:"failure"`
	Skipped *junitMessage `xml:"skipped"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// writeJUnit writes one test per finding: a failure if it makes the check fail, else a test that
// was skipped. One more test stands for all URLs that are not listed, so that there is one if there
// is no finding.
func writeJUnit(w *bufio.Writer, r Report) error {
	l, t := newListing(r, false), newTally(r)
	if err := r.each(func(result *check.Result) error { l.add(result); t.add(result); return nil }); err != nil {
		return err
	}
	list, _ := l.findings()
	suite := junitSuite{Name: "links"}
	if !r.Run.Begun.IsZero() {
		suite.When = r.Run.Begun.UTC().Format("2006-01-02T15:04:05")
		if !r.Run.Ended.IsZero() {
			suite.Time = seconds(r.Run.Ended.Sub(r.Run.Begun))
		}
	}
	for _, f := range list {
		c := junitCase{Name: f.subject(), Class: "links", Time: seconds(time.Duration(f.MS) * time.Millisecond)}
		var text strings.Builder
		for i, p := range f.Sources {
			if i == 0 && p.File != "-" {
				c.File = wire.TextLine(p.File)
			}
			fmt.Fprintf(&text, "in %s\n", placeText(p))
		}
		text.WriteString(f.morePlaces())
		m := &junitMessage{Message: f.sentence(), Text: text.String()}
		if f.fails {
			m.Type = ruleID(f)
			c.Failure = m
			suite.Failures++
		} else {
			c.Skipped = m
			suite.Skipped++
		}
		suite.Cases = append(suite.Cases, c)
	}
	rest := junitCase{Name: countOf(t.verdicts.total()-int64(len(list)), "URL") + " that are not listed", Class: "links", Time: "0"}
	if hidden := t.fails - int64(suite.Failures); hidden > 0 {
		rest.Failure = &junitMessage{Message: fmt.Sprintf("%d of them fail", hidden)}
		suite.Failures++
	}
	suite.Cases = append(suite.Cases, rest)
	suite.Tests = len(suite.Cases)
	if _, err := w.WriteString(xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", " ")
	if err := e.Encode(junitSuites{Suite: suite}); err != nil {
		return err
	}
	return w.WriteByte('\n')
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }

// ruleID names the kind of a finding, such as "broken/not-found".
func ruleID(f *finding) string {
	if f.Why == "" {
		return string(f.Verdict)
	}
	return string(f.Verdict) + "/" + strings.ReplaceAll(string(f.Why), " ", "-")
}
