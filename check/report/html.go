package report

import (
	"bufio"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"time"

	"locator"
	"locator/check"
)

//go:embed assets/report.html assets/report.css
var assets embed.FS

// shownHosts is how many hosts the plot has, besides the row for all others.
const shownHosts = 20

// A page is what the template shows.
type page struct {
	CSS      template.CSS
	Policy   string // Content-Security-Policy
	Title    string
	When     string
	Summary  []string
	Verdicts []verdictRow
	Compared bool // there is a run before
	Plots    []plot
	Findings []*htmlFinding
	More     string
	Version  string
}

type verdictRow struct {
	Verdict   check.Verdict
	Now, Then int64
	Bar       bar
}

type htmlFinding struct {
	Verdict check.Verdict
	Fails   bool
	Mark    string
	Subject string
	Link    template.URL // empty if it is not a link
	Reason  string
	Extent  string
	Places  []string
	More    string // places
	Count   string // of places
	Folded  bool   // the places are shown on demand
}

// unfolded is how many places of a finding are shown at once.
const unfolded = 5

// writeHTML writes one page that needs no other file. Its policy allows its own style sheet and
// nothing else: no script, image, frame, form or connection.
func writeHTML(w *bufio.Writer, r Report) error {
	l, t := newListing(r, true), newTally(r)
	if err := r.each(func(result *check.Result) error { l.add(result); t.addDetails(result); return nil }); err != nil {
		return err
	}
	css, err := assets.ReadFile("assets/report.css")
	if err != nil {
		return err
	}
	tmpl, err := template.ParseFS(assets, "assets/report.html")
	if err != nil {
		return err
	}
	sum := sha256.Sum256(css)
	summary := t.summary()
	p := page{
		CSS:    template.CSS(css),
		Policy: "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'",
		Title:  summary[0],
		When:   runTime(r.Run),
		Plots:  t.plots(), Compared: r.Before != nil, Version: r.Version,
	}
	for _, line := range summary[1:] {
		p.Summary = append(p.Summary, sentenceCase(line)+".")
	}
	p.Verdicts = t.verdictRows()
	list, more := l.findings()
	p.More = moreFindings(more)
	for _, f := range list {
		p.Findings = append(p.Findings, newHTMLFinding(f))
	}
	return tmpl.Execute(w, p)
}

func newHTMLFinding(f *finding) *htmlFinding {
	h := &htmlFinding{
		Verdict: f.Verdict, Fails: f.fails, Mark: f.mark, Subject: f.subject(), Reason: f.reason(), Extent: f.extent(), More: f.morePlaces(),
	}
	if f.urls == 1 {
		h.Link = link(f.URL)
	}
	for _, p := range f.Sources {
		h.Places = append(h.Places, placeText(p))
	}
	h.Count, h.Folded = countOf(f.places, "place"), len(h.Places) > unfolded
	return h
}

// link returns the URL to link to. It is empty if the text is not a URL of a scheme that is known
// here, as that of a script is not, or if it has a password, which is masked.
func link(text string) template.URL {
	u, err := locator.Current.Parse(text)
	if err != nil || locator.SyntaxOf(u.Scheme()) == nil {
		return ""
	}
	if _, has := u.Password(); has {
		return ""
	}
	return template.URL(u.Canonical().String())
}

func runTime(i check.RunInfo) string {
	if i.Begun.IsZero() {
		return ""
	}
	text := i.Begun.UTC().Format("2006-01-02 15:04")
	if i.Ended.IsZero() {
		return text + " UTC"
	}
	return text + " UTC, " + i.Ended.Sub(i.Begun).Round(time.Second).String()
}
