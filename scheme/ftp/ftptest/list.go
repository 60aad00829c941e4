package ftptest

import (
	"fmt"
	"slices"
	"strings"

	"locator/schemetest/peer"
)

func (c *session) listCommand(arg string, _ bool) {
	if c.s.behavior.noLIST {
		c.reply(502, "Not implemented")
		return
	}
	path, heading := resolve(c.cwd, arg), c.s.behavior.heading
	c.list(path, func(name string, n *node) string {
		if heading != "" {
			first := heading
			heading = ""
			return first + "\r\n" + listLine(c.s.behavior.form, name, n)
		}
		form := c.s.behavior.form
		if slices.Contains(c.s.behavior.odd, name) {
			form = Odd
		}
		return listLine(form, name, n)
	})
}

func (c *session) mlsdCommand(arg string, _ bool) {
	if c.s.behavior.noMLSD {
		c.reply(500, "Unknown command")
		return
	}
	c.list(resolve(c.cwd, arg), func(name string, n *node) string { return facts(n) + " " + name })
}

func (c *session) mlstCommand(arg string, _ bool) {
	if c.s.behavior.noMLSD {
		c.reply(500, "Unknown command")
		return
	}
	if c.s.Fault() == peer.WrongCode {
		c.reply(350, "What is next?")
		return
	}
	path := resolve(c.cwd, arg)
	n := c.look(path)
	if n == nil {
		c.reply(550, "No such file or directory")
		return
	}
	c.replyLines(250, "Listing "+show(path), []string{facts(n) + " " + show(path)}, "End")
}

// list sends a directory, one line per entry.
func (c *session) list(path []string, line func(string, *node) string) {
	n := c.look(path)
	if n == nil || !n.dir() {
		c.reply(550, "No such directory")
		return
	}
	if c.s.Fault() == peer.EndlessList {
		c.endless(line)
		return
	}
	var b strings.Builder
	c.s.mu.Lock()
	names := n.names()
	if c.s.truncated {
		names = names[:min(len(names), c.s.listed)]
	}
	for _, name := range names {
		b.WriteString(line(name, n.children[name]) + "\r\n")
	}
	end := "Done"
	if c.s.truncated {
		end = fmt.Sprintf("Output truncated to %d matches", c.s.listed)
	}
	c.s.mu.Unlock()
	c.send("Here it comes", []byte(b.String()), end)
}

// endless sends a listing without end.
func (c *session) endless(line func(string, *node) string) {
	conn, ok := c.open("Here it comes")
	if !ok {
		return
	}
	defer c.done(conn)
	n := &node{content: []byte("x")}
	peer.Flood(conn, func(i int) string { return line(fmt.Sprintf("file%d", i), n) + "\r\n" })
	c.reply(426, "The data connection broke")
}

// facts returns the facts of RFC 3659 7.5.
func facts(n *node) string {
	when := n.modified.UTC().Format("20060102150405")
	if n.dir() {
		return "type=dir;modify=" + when + ";perm=elcm;"
	}
	return fmt.Sprintf("type=file;size=%d;modify=%s;perm=rw;", len(n.content), when)
}

// listLine returns a line of LIST. All times of the tree are years ago.
func listLine(form ListForm, name string, n *node) string {
	t := n.modified.UTC()
	switch form {
	case DOS:
		if n.dir() {
			return t.Format("01-02-06  03:04PM") + "       <DIR>          " + name
		}
		return t.Format("01-02-06  03:04PM") + fmt.Sprintf(" %20d ", len(n.content)) + name
	case EPLF:
		if n.dir() {
			return fmt.Sprintf("+m%d,/,\t%s", t.Unix(), name)
		}
		return fmt.Sprintf("+m%d,r,s%d,\t%s", t.Unix(), len(n.content), name)
	case Odd:
		return "<<" + name + ">>"
	}
	if n.dir() {
		return "drwxr-xr-x   2 0        0            4096 " + t.Format("Jan _2  2006") + " " + name
	}
	return fmt.Sprintf("-rw-r--r--   1 0        0        %8d %s %s", len(n.content), t.Format("Jan _2  2006"), name)
}

func (c *session) nlstCommand(arg string, has bool) {
	if c.s.behavior.noNLST {
		c.reply(502, "Not implemented")
		return
	}
	path := resolve(c.cwd, arg)
	n := c.look(path)
	if n == nil {
		c.reply(550, "No such file or directory")
		return
	}
	prefix := ""
	if has && arg != "" {
		switch c.s.behavior.names {
		case Below, WithDots:
			prefix = arg + "/"
		case Absolute:
			prefix = show(path) + "/"
		}
	}
	var b strings.Builder
	if !n.dir() {
		b.WriteString(arg + "\r\n")
	} else {
		c.s.mu.Lock()
		names := n.names()
		c.s.mu.Unlock()
		if c.s.behavior.names == WithDots {
			names = append([]string{".", ".."}, names...)
		}
		for _, name := range names {
			b.WriteString(prefix + name + "\r\n")
		}
	}
	if c.s.Fault() == peer.EndlessList {
		c.endless(func(name string, _ *node) string { return prefix + name })
		return
	}
	c.send("Here it comes", []byte(b.String()), "Done")
}

// look returns a node.
func (c *session) look(path []string) *node {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return c.s.root.find(path)
}
