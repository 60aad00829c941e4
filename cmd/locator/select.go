package main

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"locator"
	"locator/archive"
	"locator/internal/settings"
	"locator/scheme"
	"locator/scheme/message"
)

// selection holds the flags that select messages.
type selection struct {
	since   string
	subject string
	from    string
	match   []string
	news    bool // --new
}

func (s *selection) register(f *pflag.FlagSet) {
	f.StringVar(&s.since, "since", "", "only messages that came since then: a date such as 2026-01-31, or an age such as 36h or 7d (newsgroups)")
	f.BoolVar(&s.news, "new", false, "only messages that are new since the last run with --new (newsgroups)")
	f.StringVar(&s.subject, "subject", "", "only messages whose subject contains this text, or matches a pattern with * and ? (newsgroups)")
	f.StringVar(&s.from, "from", "", "the same for the author")
	f.StringArrayVar(&s.match, "match", nil, "the same for any header field, 'Name: text' (repeatable)")
}

// isSet reports whether one of the flags is given.
func (s *selection) isSet() bool {
	return s.news || s.since != "" || s.subject != "" || s.from != "" || len(s.match) > 0
}

// filter returns the filter that the flags describe.
func (s *selection) filter(now time.Time) (f message.Filter, err error) {
	if s.since != "" {
		var ok bool
		if f.Since, ok = settings.ParseTime(s.since, now); !ok {
			return f, scheme.Fail(scheme.CodeUsage, "--since %q: must be a date such as 2026-01-31 or 2026-01-31T12:00:00Z, or an age such as 36h, 7d or 2w", s.since)
		}
	}
	for _, p := range []message.Pattern{{Name: "Subject", Text: s.subject}, {Name: "From", Text: s.from}} {
		if p.Text != "" {
			f.Match = append(f.Match, p)
		}
	}
	for _, m := range s.match {
		name, text, ok := strings.Cut(m, ":")
		if text = strings.TrimSpace(text); !ok || strings.TrimSpace(name) == "" || text == "" {
			return f, scheme.Fail(scheme.CodeUsage, "--match: must be 'Name: text'")
		}
		f.Match = append(f.Match, message.Pattern{Name: strings.TrimSpace(name), Text: text})
	}
	return f, nil
}

// openNew opens the journal of --new for a URL, in the user's folder for the state of programs.
func (a *app) openNew(u locator.URL) (*archive.Journal, error) {
	dir := settings.StateFolder(a.Getenv)
	if dir == "" {
		return nil, scheme.Fail(scheme.CodeLocal, "--new: no folder for what was read is known: neither XDG_STATE_HOME nor HOME is set")
	}
	j, err := archive.OpenSeen(filepath.Join(dir, "new"), u)
	if err != nil {
		return nil, scheme.Fail(scheme.CodeLocal, "--new: %w", err)
	}
	return j, nil
}
