package nntptest

import (
	"fmt"
	"strconv"
	"strings"

	"locator/schemetest/peer"
)

func (c *session) list(_ string, args []string) bool {
	what, pattern := "ACTIVE", "*"
	if len(args) > 0 {
		what = strings.ToUpper(args[0])
	}
	if len(args) > 1 {
		pattern = args[1]
	}
	if c.s.behavior.without["LIST "+what] || c.s.behavior.old && len(args) > 0 {
		c.say("503 Not kept")
		return true
	}
	if what == "ACTIVE" && c.s.Fault() == peer.EndlessList {
		c.say("215 List")
		peer.Flood(c.w, func(i int) string { return fmt.Sprintf("endless.g%d 1 1 y\r\n", i) })
		return false
	}
	var lines []string
	for _, name := range c.s.spool.names() {
		if !wildmat(pattern, name) {
			continue
		}
		g := c.s.spool.find(name)
		switch _, first, last := g.bounds(); what {
		case "ACTIVE":
			lines = append(lines, fmt.Sprintf("%s %d %d y", name, last, first))
		case "NEWSGROUPS":
			lines = append(lines, name+"\t"+g.description)
		default:
			c.say("503 Not kept")
			return true
		}
	}
	c.block("215 List", lines)
	return true
}

func (c *session) groupCommand(_ string, args []string) bool {
	if len(args) != 1 {
		c.say("501 Which group?")
		return true
	}
	g := c.s.spool.find(args[0])
	if g == nil {
		c.say("411 No such group")
		return true
	}
	count, first, last := g.bounds()
	c.group, c.number = g, first
	c.say(fmt.Sprintf("211 %d %d %d %s", count, first, last, args[0]))
	return true
}

func (c *session) over(_ string, args []string) bool {
	if c.s.Fault() == peer.EndlessList {
		c.say("224 Overview")
		peer.Flood(c.w, func(i int) string {
			return overview(int64(i+1), "Subject: endless\r\nFrom: a\r\nDate: b\r\nMessage-ID: <c@d>\r\n\r\n") + "\r\n"
		})
		return false
	}
	numbers := c.numbers(args)
	if len(numbers) == 0 {
		c.say("423 No articles")
		return true
	}
	var lines []string
	for _, n := range numbers {
		lines = append(lines, overview(n, c.group.articles[n]))
	}
	c.block("224 Overview", lines)
	return true
}

func (c *session) numbers(args []string) []int64 {
	if len(args) == 0 {
		return []int64{c.number}
	}
	return c.group.in(args[len(args)-1])
}

func (c *session) hdr(verb string, args []string) bool {
	if len(args) != 2 {
		c.say("501 Which field?")
		return true
	}
	if verb == "XHDR" && strings.HasPrefix(args[0], ":") {
		c.say("501 No metadata")
		return true
	}
	var lines []string
	for _, n := range c.numbers(args) {
		value := metadata(c.group.articles[n], args[0])
		if value == "" && verb == "XHDR" {
			value = "(none)"
		}
		lines = append(lines, strconv.FormatInt(n, 10)+" "+value)
	}
	switch {
	case len(lines) == 0:
		c.say("423 No articles")
	case verb == "HDR":
		c.block("225 Headers", lines)
	default:
		c.block("221 Headers", lines)
	}
	return true
}

func (c *session) article(verb string, args []string) bool {
	number, id, text, ok := c.number, "", "", false
	switch {
	case len(args) == 1 && strings.HasPrefix(args[0], "<"):
		if number, id = 0, args[0]; true {
			text, ok = c.s.spool.byMessageID(id)
		}
		if !ok {
			c.say("430 No such article")
			return true
		}
	default:
		if len(args) == 1 {
			number, _ = strconv.ParseInt(args[0], 10, 64)
		}
		if text, ok = c.group.articles[number]; !ok {
			c.say("423 No such number")
			return true
		}
		c.number, id = number, field(text, "Message-ID")
	}
	header, body, _ := strings.Cut(text, "\r\n\r\n")
	about := fmt.Sprintf("%d %s", number, id)
	switch verb {
	case "STAT":
		c.say("223 " + about)
	case "HEAD":
		c.text("221 "+about, header+"\r\n")
	case "BODY":
		return c.text("222 "+about, body)
	default:
		if cut := c.s.behavior.cut; cut > 0 && c.sent == cut {
			c.write("220 " + about + "\r\n" + text[:len(text)/2])
			return false
		}
		c.sent++
		return c.text("220 "+about, text)
	}
	return true
}
