package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"locator"
	"locator/archive"
	"locator/client"
	"locator/internal/symlink"
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
		if f.Since, ok = parseSince(s.since, now); !ok {
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

// parseSince parses a date, in the local time zone unless it has one, or how long ago that is.
func parseSince(s string, now time.Time) (time.Time, bool) {
	for _, form := range []string{time.DateOnly, time.RFC3339, "2006-01-02T15:04", "2006-01-02T15:04:05", "2006-01-02 15:04", time.DateTime} {
		if t, err := time.ParseInLocation(form, s, now.Location()); err == nil {
			return t, true
		}
	}
	for unit, hours := range map[string]float64{"d": 24, "w": 7 * 24} {
		if number, ok := strings.CutSuffix(s, unit); ok {
			n, err := strconv.ParseFloat(number, 64)
			if ok := err == nil && n >= 0 && n < 36500; ok {
				return now.Add(-time.Duration(n * hours * float64(time.Hour))), true
			}
			return time.Time{}, false
		}
	}
	var d duration
	if err := d.Set(s); err != nil || d < 0 || s[len(s)-1] <= '9' { // a number alone could be meant as days
		return time.Time{}, false
	}
	return now.Add(-time.Duration(d)), true
}

// openNew opens the journal of --new for a URL, in the user's folder for the state of programs.
func (a *app) openNew(u locator.URL) (*archive.Journal, error) {
	dir := stateFolder(a.Getenv)
	if dir == "" {
		return nil, scheme.Fail(scheme.CodeLocal, "--new: no folder for what was read is known: neither XDG_STATE_HOME nor HOME is set")
	}
	dir = filepath.Join(dir, "new")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, scheme.Fail(scheme.CodeLocal, "--new: %w", err)
	}
	root, err := symlink.OpenPrivate(dir) // what stands there says which messages are left out
	if err != nil {
		return nil, scheme.Fail(scheme.CodeLocal, "--new: %w", err)
	}
	root.Close()
	sum := sha256.Sum256([]byte(u.Canonical().Redacted()))
	j, err := archive.OpenJournal(filepath.Join(dir, hex.EncodeToString(sum[:8])+archive.JournalSuffix))
	if err != nil {
		return nil, scheme.Fail(scheme.CodeLocal, "--new: %w", err)
	}
	return j, nil
}

// listNew returns the entries that are new since the last run with --new, and records them when all have been printed.
func (a *app) listNew(ctx context.Context, c *client.Client, u locator.URL, o scheme.ListOptions) (iter.Seq2[scheme.Entry, error], error) {
	j, err := a.openNew(u)
	if err != nil {
		return nil, err
	}
	return func(yield func(scheme.Entry, error) bool) {
		o.Have, o.Renumbered = j.Have(), j.Renumbered
		stopped := false
		for e, err := range c.List(ctx, scheme.Request{URL: u}, &o) {
			switch {
			case err != nil || e.Kind == scheme.KindNote:
			case e.Position.List == "":
				err = scheme.Fail(scheme.CodeUnsupported, "--new: the entries of this listing have no numbers")
			default:
				err = j.Add(e.Position, e.Attr.ID, "")
			}
			if stopped = !yield(e, err) || err != nil; stopped {
				break
			}
		}
		if err := j.Close(); err != nil && !stopped {
			yield(scheme.Entry{}, err)
		}
	}, nil
}
