package report

import (
	"slices"

	"locator"
	"locator/check"
)

// Bounds of what a listing keeps.
const (
	maxFindings = 10_000   // of a report
	maxPlaces   = 100      // of a finding
	maxBytes    = 16 << 20 // of the findings of a rank, about
)

// What a finding and a place need besides their texts, about.
const findingSize, placeSize = 512, 48

// A finding is a result to list, or the results of a dead host.
type finding struct {
	check.Result        // of the first URL; its Sources are the first places of all
	fails        bool   // it makes the check fail
	mark         string // beside the run before: "new", "works again", or ""
	host         string // of a dead host
	urls         int    // 1, or more for a dead host
	places       int    // all, also those that Sources does not have
}

// level orders the findings that a format marks as worse or less bad.
type level int

const (
	levelError level = iota // it makes the check fail
	levelWarning
	levelNote
)

func (f *finding) level() level {
	switch {
	case f.fails:
		return levelError
	case f.Verdict == check.Broken || f.Verdict == check.Failing:
		return levelWarning
	}
	return levelNote
}

// A listing collects findings, the worst first. Only so many of each rank are kept, so that a
// million URLs that are unsure leave room for a broken one.
type listing struct {
	report    Report
	forPeople bool // one finding for all URLs of a dead host, and also URLs that work again
	ranks     [][]*finding
	bytes     []int
	hosts     map[hostKey]*finding
	urls      int // that are findings
}

// hostKey identifies the findings that a dead host is the reason for.
type hostKey struct {
	host    string
	verdict check.Verdict
	why     check.Why
	fails   bool
	mark    string
}

func newListing(r Report, forPeople bool) *listing {
	n := len(check.Verdicts()) + 1
	return &listing{report: r, forPeople: forPeople, ranks: make([][]*finding, n), bytes: make([]int, n), hosts: make(map[hostKey]*finding)}
}

// add adds a result if it is a finding.
func (l *listing) add(r *check.Result) {
	mark := ""
	switch {
	case l.report.Before == nil:
	case r.NewProblem():
		mark = "new"
	case r.Recovered() && l.forPeople:
		mark = "works again"
	}
	if !l.report.isFinding(r) && (mark == "" || l.report.known(r)) {
		return
	}
	l.urls++
	fails := l.report.fails(r)
	var key hostKey
	if l.forPeople && ofHost(r.Why) && len(r.Hops) == 0 { // else it is the host that a redirect led to
		if host := hostOf(r.URL); host != "" {
			key = hostKey{host, r.Verdict, r.Why, fails, mark}
			if f := l.hosts[key]; f != nil {
				f.urls++
				l.addPlaces(f, r.Sources)
				return
			}
		}
	}
	rank := l.rank(r.Verdict, fails)
	if len(l.ranks[rank]) >= maxFindings || l.bytes[rank] > maxBytes {
		return
	}
	f := &finding{Result: *r, fails: fails, mark: mark, host: key.host, urls: 1}
	f.Memory, f.Hops, f.Sources = nil, nil, nil
	l.addPlaces(f, r.Sources)
	l.ranks[rank] = append(l.ranks[rank], f)
	l.bytes[rank] += findingSize + len(r.URL) + len(r.Reply) + len(r.Note) + len(r.Final) + len(r.To)
	if key.host != "" {
		l.hosts[key] = f
	}
}

// rank is 0 for a result that makes the check fail, else that of its verdict.
func (l *listing) rank(v check.Verdict, fails bool) int {
	if fails {
		return 0
	}
	return 1 + slices.Index(severity(), v)
}

func (l *listing) addPlaces(f *finding, places []check.Place) {
	for _, p := range places {
		if p.File == "" {
			continue // the command line
		}
		if f.places++; len(f.Sources) < maxPlaces {
			l.bytes[l.rank(f.Verdict, f.fails)] += placeSize + len(p.File)
			f.Sources = append(f.Sources, p)
		}
	}
}

// findings returns what was kept, those that fail first, and then by verdict. more is how many URLs
// are findings beyond these.
func (l *listing) findings() (list []*finding, more int) {
	list = slices.Concat(l.ranks...)
	list = list[:min(len(list), maxFindings)]
	more = l.urls
	for _, f := range list {
		more -= f.urls
	}
	return list, more
}

// collect reads all results and returns the findings among them.
func (r Report) collect() (list []*finding, more int, err error) {
	l := newListing(r, false)
	if err := r.each(func(result *check.Result) error { l.add(result); return nil }); err != nil {
		return nil, 0, err
	}
	list, more = l.findings()
	return list, more, nil
}

// severity returns the verdicts, worst first.
func severity() []check.Verdict {
	return []check.Verdict{check.Broken, check.Failing, check.Blocked, check.Unsure, check.Moved, check.OK, check.Skipped}
}

// ofHost reports whether a reason is one for all URLs of a host.
func ofHost(w check.Why) bool {
	return w == check.WhyName || w == check.WhyUnreachable || w == check.WhyCertificate
}

// hostOf returns the host of a URL with its port, if it has one, in lower case; "" if it has none
// or is not a URL.
func hostOf(text string) string {
	u, err := locator.Current.Parse(text)
	if err != nil {
		return ""
	}
	return hostAndPort(u.Canonical())
}

func hostAndPort(u locator.URL) string {
	if u.Port() != "" {
		return u.Host() + ":" + u.Port()
	}
	return u.Host()
}
