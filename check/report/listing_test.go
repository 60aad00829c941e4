package report

import (
	"fmt"
	"strings"
	"testing"

	"locator/check"
)

// All URLs of a dead host are one finding, however many there are.
func TestListingDeadHost(t *testing.T) {
	t.Parallel()
	l := newListing(Report{}, true)
	for i := range maxFindings * 2 {
		l.add(&check.Result{URL: fmt.Sprintf("http://Dead.example/%d", i), Verdict: check.Broken, Why: check.WhyName, Sources: []check.Place{{File: "a", Line: i}}})
	}
	l.add(&check.Result{URL: "http://dead.example:81/", Verdict: check.Broken, Why: check.WhyUnreachable})
	list, more := l.findings()
	if len(list) != 2 || more != 0 || list[0].urls != maxFindings*2 || list[0].places != maxFindings*2 || len(list[0].Sources) != maxPlaces {
		t.Errorf("%d findings, %d more, %+v", len(list), more, list[0])
	}
	if list[0].subject() != "host dead.example" || list[1].subject() != "http://dead.example:81/" {
		t.Errorf("%q, %q", list[0].subject(), list[1].subject())
	}
}

// The host that redirects is not the dead one.
func TestListingDeadHostOfRedirect(t *testing.T) {
	t.Parallel()
	l := newListing(Report{}, true)
	for _, path := range []string{"1", "2"} {
		l.add(&check.Result{URL: "http://a.example/" + path, Verdict: check.Broken, Why: check.WhyName, Final: "http://dead.example/", Hops: []string{"http://dead.example/"}})
	}
	if list, _ := l.findings(); len(list) != 2 || list[0].subject() != "http://a.example/1" {
		t.Errorf("%d findings, %q", len(list), list[0].subject())
	}
}

// What is kept is also bounded in bytes.
func TestListingBytes(t *testing.T) {
	t.Parallel()
	l := newListing(Report{}, true)
	long := "http://a.example/" + strings.Repeat("a", 1<<20)
	for range 100 {
		l.add(&check.Result{URL: long, Verdict: check.Broken, Why: check.WhyGone})
	}
	if list, more := l.findings(); len(list) > 20 || len(list)+more != 100 {
		t.Errorf("%d findings, %d more", len(list), more)
	}
}
