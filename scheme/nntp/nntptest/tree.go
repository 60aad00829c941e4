package nntptest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"locator/schemetest/peer"
)

// Text returns the article of a file of the common tree: the file is the body of the article, with
// CR LF as line ends and one at its end, since articles are lines.
func Text(f peer.File) string {
	body := strings.ReplaceAll(f.Content, "\n", "\r\n")
	if body != "" && !strings.HasSuffix(body, "\r\n") {
		body += "\r\n"
	}
	group, name := Group(f.Path[:len(f.Path)-1]...), f.Path[len(f.Path)-1]
	var subject strings.Builder
	for i := range len(name) {
		if c := name[i]; c < ' ' || c > '~' {
			c = '_'
			subject.WriteByte(c)
		} else {
			subject.WriteByte(name[i])
		}
	}
	return fmt.Sprintf("Path: news.example!not-for-mail\r\nFrom: alice <alice@example.com>\r\nNewsgroups: %s\r\nSubject: %s\r\nDate: %s\r\nMessage-ID: <%s>\r\n\r\n",
		group, subject.String(), f.Modified.UTC().Format("Mon, 02 Jan 2006 15:04:05 -0700"), ID(f.Path...)) + body
}

// ID returns the message-id of the article of a file of the tree, without its angle brackets.
func ID(path ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(path, "/")))
	return hex.EncodeToString(sum[:8]) + "@nntptest.example"
}

// Group returns the name of the group for a folder of the tree.
func Group(dir ...string) string {
	parts := []string{"tree"}
	for _, d := range dir {
		var b strings.Builder
		for i := range len(d) {
			if c := d[i]; c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
				b.WriteByte(c)
			} else {
				b.WriteByte('-')
			}
		}
		parts = append(parts, b.String())
	}
	return strings.Join(parts, ".")
}

// spool holds the articles of a server.
type spool struct {
	mu     sync.Mutex
	groups map[string]*newsgroup
	byID   map[string]string
	posted []string // as they came
}

type newsgroup struct {
	description string
	numbers     []int64
	articles    map[int64]string
	came        map[int64]time.Time
}

// clone returns a copy, since sessions use the group without a lock.
func (g *newsgroup) clone() *newsgroup {
	return &newsgroup{g.description, slices.Clone(g.numbers), maps.Clone(g.articles), maps.Clone(g.came)}
}

// replace replaces a group.
func (s *spool) replace(name string, by func(*newsgroup) *newsgroup) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.groups[name] = by(s.group(name))
}

// began is when articles came for which no time is set.
func began(came time.Time) time.Time {
	if came.IsZero() {
		return time.Now()
	}
	return came
}

func newSpool() *spool {
	return &spool{groups: make(map[string]*newsgroup), byID: make(map[string]string)}
}

// add adds an article to a group, and returns its number.
func (s *spool) add(group, text string, step int64, came time.Time) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.group(group)
	n := max(step, 1)
	if len(g.numbers) > 0 {
		n += g.numbers[len(g.numbers)-1]
	}
	g.numbers = append(g.numbers, n)
	g.articles[n], g.came[n] = text, began(came)
	if id := field(text, "Message-ID"); id != "" {
		s.byID[id] = text
	}
	return n
}

// group returns the group of that name. The caller holds mu.
func (s *spool) group(name string) *newsgroup {
	g := s.groups[name]
	if g == nil {
		g = &newsgroup{description: "The group " + name, articles: make(map[int64]string), came: make(map[int64]time.Time)}
		s.groups[name] = g
	}
	return g
}

// find returns a group, nil if there is none.
func (s *spool) find(name string) *newsgroup {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.groups[name]
}

// byMessageID returns the article with a message-id in its angle brackets.
func (s *spool) byMessageID(id string) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, ok := s.byID[id]
	return text, ok
}

// names returns the names of the groups, sorted.
func (s *spool) names() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var names []string
	for name := range s.groups {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// bounds returns count, first and last of the reply to GROUP (RFC 3977 6.1.1.2).
func (g *newsgroup) bounds() (count, first, last int64) {
	if len(g.numbers) == 0 {
		return 0, 0, 0
	}
	return int64(len(g.numbers)), g.numbers[0], g.numbers[len(g.numbers)-1]
}

// in returns the numbers of a range argument: "5", "5-" or "5-9".
func (g *newsgroup) in(arg string) []int64 {
	first, last, ranged := strings.Cut(arg, "-")
	low, _ := strconv.ParseInt(first, 10, 64)
	high := low
	if ranged {
		if high = 1<<62 - 1; last != "" {
			high, _ = strconv.ParseInt(last, 10, 64)
		}
	}
	var list []int64
	for _, n := range g.numbers {
		if n >= low && n <= high {
			list = append(list, n)
		}
	}
	return list
}

// field returns a field of an article, with tabs as blanks and folded lines joined.
func field(text, name string) string {
	header, _, _ := strings.Cut(text, "\r\n\r\n")
	header = strings.NewReplacer("\r\n ", " ", "\r\n\t", " ").Replace(header)
	for line := range strings.SplitSeq(header, "\r\n") {
		if n, value, ok := strings.Cut(line, ":"); ok && strings.EqualFold(n, name) {
			return strings.ReplaceAll(strings.TrimSpace(value), "\t", " ")
		}
	}
	return ""
}

// metadata returns a field, or ":bytes" or ":lines" (RFC 3977 8.1).
func metadata(text, name string) string {
	switch strings.ToLower(name) {
	case ":bytes":
		return strconv.Itoa(len(text))
	case ":lines":
		_, body, _ := strings.Cut(text, "\r\n\r\n")
		return strconv.Itoa(strings.Count(body, "\r\n"))
	}
	return field(text, name)
}

// overview returns the line of OVER for an article.
func overview(n int64, text string) string {
	f := []string{strconv.FormatInt(n, 10)}
	for _, name := range []string{"Subject", "From", "Date", "Message-ID", "References", ":bytes", ":lines"} {
		f = append(f, metadata(text, name))
	}
	return strings.Join(f, "\t")
}
