package check

import (
	"fmt"
	"slices"
	"strings"
)

// Whys returns the reasons, those for a verdict together.
func Whys() []Why {
	return []Why{
		WhyChanged, WhyGone, WhyNotFound, WhyLoop, WhyMalformed, WhyName, WhyUnreachable, WhyLogin, WhyWall, WhyLimit, WhyChallenge,
		WhyTime, WhyServer, WhyFragment, WhyCertificate, WhyLocal, WhyUnsupported, WhyExcluded, WhyRobots,
	}
}

// IsProblem reports whether a URL with the verdict needs a look: it is broken, failing, blocked or
// unsure.
func (v Verdict) IsProblem() bool {
	return v == Broken || v == Failing || v == Blocked || v == Unsure
}

// NewProblem reports whether r is a problem, and was none or another one in the run before.
func (r *Result) NewProblem() bool { return r.Verdict.IsProblem() && r.New() }

// Recovered reports whether the URL works, and led to nothing in the run before.
func (r *Result) Recovered() bool {
	return (r.Verdict == OK || r.Verdict == Moved) && (r.Before == Broken || r.Before == Failing)
}

// wordNew is the word of a Selector for new problems.
const wordNew = "new"

// A Selector selects results by verdict, by reason, or because they are a new problem. The zero
// Selector selects nothing.
type Selector struct {
	verdicts []Verdict
	whys     []Why
	isNew    bool
}

// ParseSelector parses a list of verdicts and reasons with commas between them, such as
// "broken,not found". A hyphen may stand for the blank of a reason. The word "new" selects new
// problems. A result is selected if one of the words selects it. The error for another word names
// all words.
func ParseSelector(list string) (Selector, error) {
	var s Selector
	for word := range strings.SplitSeq(list, ",") {
		if err := s.add(strings.ReplaceAll(strings.ToLower(strings.TrimSpace(word)), "-", " ")); err != nil {
			return Selector{}, err
		}
	}
	return s, nil
}

func (s *Selector) add(word string) error {
	v, ok := ParseVerdict(word)
	switch {
	case ok:
		s.verdicts = append(s.verdicts, v)
	case slices.Contains(Whys(), Why(word)):
		s.whys = append(s.whys, Why(word))
	case word == wordNew:
		s.isNew = true
	default:
		var words []string
		for _, v := range Verdicts() {
			words = append(words, string(v))
		}
		for _, w := range Whys() {
			words = append(words, string(w))
		}
		return fmt.Errorf("%q is neither a verdict nor a reason; the words are %s, %s", word, strings.Join(words, ", "), wordNew)
	}
	return nil
}

// Match reports whether s selects r.
func (s Selector) Match(r *Result) bool {
	return slices.Contains(s.verdicts, r.Verdict) || slices.Contains(s.whys, r.Why) || s.isNew && r.NewProblem()
}
