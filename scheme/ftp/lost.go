package ftp

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"locator/scheme"
	"locator/scheme/internal/dialogue"
	"locator/wire"
)

// lostLines are the lines of a listing that were not understood.
type lostLines struct {
	n     int // all
	kept  []string
	bytes int // of kept
}

// The lines and bytes of lostLines that are kept.
const (
	maxLostLines = 1000
	maxLostBytes = 1 << 20
)

func (l *lostLines) add(line string) {
	if l.n++; len(l.kept) < maxLostLines && l.bytes+len(line) <= maxLostBytes {
		l.kept, l.bytes = append(l.kept, line), l.bytes+len(line)
	}
}

// listedName is the name that NLST has for an item.
func listedName(it item) string { return cmp.Or(it.listed, it.path()) }

// recover finds the names of lines that were not understood: in a dialect of the server's system,
// else by NLST. A line whose name is not found becomes a note.
func (l *listing) recover(give func(scheme.Entry) error) error {
	lost := l.lost
	l.lost = lostLines{n: lost.n - len(lost.kept)}
	system, err := l.s.askSystem()
	if err != nil {
		return err
	}
	j := joiner{parser: mlsdParser{}, lost: l.lost.add, item: func(it item) error {
		l.seen.Add(listedName(it))
		return give(l.entry(it))
	}}
	if l.format == formatLIST {
		j.parser = &listParser{now: l.s.env.Clock.Now(), system: strings.ToUpper(system)}
	}
	for _, line := range lost.kept {
		if err := j.next(line); err != nil {
			return err
		}
	}
	if err := j.flush(); err != nil || l.lost.n == 0 {
		return err
	}
	how, err := l.askNames(give)
	if err != nil {
		return err
	}
	if system != "" {
		how += "; the server's system is " + wire.Escape(system)
	}
	lines := "1 line"
	if l.lost.n > 1 {
		lines = fmt.Sprintf("%d lines", l.lost.n)
	}
	verb := " of the listing could not be read"
	if strings.HasPrefix(how, noneMissing) {
		verb = " of the listing is in no known form"
		if l.lost.n > 1 {
			verb = " of the listing are in no known form"
		}
	}
	l.s.env.Tell(lines + verb + how)
	return nil
}

// askNames sends NLST, yields the names that the listing did not give, and notes for the lines that
// none of them explains. how says what came of it.
func (l *listing) askNames(give func(scheme.Entry) error) (how string, err error) {
	if err := l.s.lineType(); err != nil {
		return "", err
	}
	d, a, err := l.s.transfer("NLST", []wire.Line{dialogue.Bare("NLST")}, nil)
	if err != nil {
		return "", err
	}
	how = ", and the server refuses NLST: entries may be missing"
	var added []string
	total, both, missing := 0, 0, true
	switch {
	case d != nil:
		l.copy = nil // it gets the listing alone
		l.begin(d, formatNLST)
		l.left = l.s.env.Limits.Listing
		err = l.scan(nameParser{}, func(it item) error {
			if l.seen.Has(it.path()) {
				both++
				return nil
			}
			if total++; len(added) < maxLostLines {
				added = append(added, it.path())
			}
			return give(l.entry(it))
		})
		how = "; NLST gave the names"
	case l.count == 0 && l.format == formatLIST:
		err = a.fail("the server's LIST is in no known form, and it refuses NLST")
	}
	if err != nil {
		return "", err
	}
	lines := unexplained(l.lost.kept, added)
	if more := l.lost.n - len(l.lost.kept); more > total-len(l.lost.kept)+len(lines) {
		return "", scheme.Fail(scheme.CodeBroken, "%d lines of the listing could not be read%s", l.lost.n, how)
	}
	if all := l.seen.Len(); total == 0 && both >= all && all > 0 && len(lines) == l.lost.n && !slices.ContainsFunc(lines, likeFolder) {
		how, missing = noneMissing, false
	} else if d != nil && len(lines) > 0 {
		how = "; NLST did not give all names: entries may be missing"
	}
	for _, line := range lines {
		note := unread(line)
		note.Unread = missing
		if err := give(note); err != nil {
			return "", err
		}
	}
	return how, nil
}

// noneMissing is said of lines that are not entries, such as a heading: NLST names all that LIST
// does, and nothing else.
const noneMissing = "; NLST names the same files, so none is missing"

// likeFolder reports whether a line looks like one for a folder. Some servers leave folders out of
// NLST.
func likeFolder(line string) bool {
	return strings.HasPrefix(line, "d") && strings.Trim(line[1:min(4, len(line))], "rwx-") == "" || strings.Contains(strings.ToUpper(line), "DIR>")
}

// unexplained returns the lines that contain none of the names. Each name explains one line, at the
// end of the line if possible.
func unexplained(lines, names []string) []string {
	lines = slices.Clone(lines)
	names = slices.Clone(names)
	slices.SortFunc(names, func(a, b string) int { return len(b) - len(a) })
	for _, fits := range [...]func(s, name string) bool{strings.HasSuffix, strings.Contains} {
		names = slices.DeleteFunc(names, func(name string) bool {
			i := slices.IndexFunc(lines, func(line string) bool { return fits(line, name) })
			if i >= 0 {
				lines = slices.Delete(lines, i, i+1)
			}
			return i >= 0
		})
	}
	return lines
}

// askSystem returns the reply to SYST, which it sends once per connection. It returns "" if the
// server does not say.
func (c *conn) askSystem() (string, error) {
	if c.system == nil {
		r, err := c.ask("SYST", dialogue.Bare("SYST"))
		if err != nil {
			return "", err
		}
		c.system = new(string)
		if r.Code == 215 {
			*c.system = strings.TrimSpace(r.Text())
		}
	}
	return *c.system, nil
}
