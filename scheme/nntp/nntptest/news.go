package nntptest

import (
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"
)

// wildmat reports whether a name matches a wildmat (RFC 3977 4).
func wildmat(pattern, name string) bool {
	ok := false
	for part := range strings.SplitSeq(pattern, ",") {
		part, excludes := strings.CutPrefix(part, "!")
		if match, _ := path.Match(part, name); match {
			ok = !excludes
		}
	}
	return ok
}

// listGroup is LISTGROUP with a group and a range (RFC 3977 6.1.2).
func (c *session) listGroup(_ string, args []string) bool {
	if len(args) == 0 {
		c.say("501 Which group?")
		return true
	}
	g := c.s.spool.find(args[0])
	if g == nil || len(args) > 1 && c.s.behavior.noRanges {
		c.say("411 No such group")
		return true
	}
	of := "1-"
	if len(args) > 1 {
		of = args[1]
	}
	var lines []string
	for _, n := range g.in(of) {
		lines = append(lines, strconv.FormatInt(n, 10))
	}
	count, first, last := g.bounds()
	c.group, c.number = g, first
	c.block(fmt.Sprintf("211 %d %d %d %s list follows", count, first, last, args[0]), lines)
	return true
}

// since returns the time in the arguments "20260101", "000000" and "GMT".
func since(args []string) (time.Time, bool) {
	if len(args) != 3 || args[2] != "GMT" {
		return time.Time{}, false
	}
	t, err := time.Parse("20060102150405", args[0]+args[1])
	return t, err == nil
}

// newNews is NEWNEWS (RFC 3977 7.4).
func (c *session) newNews(_ string, args []string) bool {
	from, ok := time.Time{}, false
	if len(args) == 4 {
		from, ok = since(args[1:])
	}
	if !ok {
		c.say("501 NEWNEWS wildmat date time GMT")
		return true
	}
	var lines []string
	for _, name := range c.s.spool.names() {
		if !wildmat(args[0], name) {
			continue
		}
		g := c.s.spool.find(name)
		for _, n := range g.numbers {
			if !g.came[n].Before(from) {
				lines = append(lines, field(g.articles[n], "Message-ID"))
			}
		}
	}
	c.block("230 New", lines)
	return true
}

// newGroups is NEWGROUPS (RFC 3977 7.3). All groups are as old as the server.
func (c *session) newGroups(_ string, args []string) bool {
	from, ok := since(args)
	if !ok {
		c.say("501 NEWGROUPS date time GMT")
		return true
	}
	var lines []string
	for _, name := range c.s.spool.names() {
		if !c.s.began.Before(from) {
			_, first, last := c.s.spool.find(name).bounds()
			lines = append(lines, fmt.Sprintf("%s %d %d y", name, last, first))
		}
	}
	c.block("231 New", lines)
	return true
}
