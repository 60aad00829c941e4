package ftptest

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"
	"time"

	"locator/schemetest/peer"
)

func (c *session) cwdCommand(arg string, has bool) {
	m := &c.s.behavior
	if arg == "" {
		if m.emptyCWD.code != 0 {
			c.reply(m.emptyCWD.code, m.emptyCWD.text)
			return
		}
		c.cwd = append([]string(nil), m.home...)
		c.reply(250, "At home")
		return
	}
	path := resolve(c.cwd, arg)
	if n := c.look(path); n == nil || !n.dir() {
		c.reply(550, "No such directory")
		return
	}
	c.cwd = path
	c.reply(250, "OK")
}

func (c *session) cdupCommand(string, bool) { c.cwdCommand("..", true) }

func (c *session) pwdCommand(string, bool) {
	c.reply(257, `"`+strings.ReplaceAll(show(c.cwd), `"`, `""`)+`" is the current directory`)
}

func (c *session) typeCommand(arg string, _ bool) {
	switch strings.ToUpper(arg) {
	case "A", "A N":
		c.ascii = true
	case "I", "L 8":
		c.ascii = false
	default:
		c.reply(504, "A or I")
		return
	}
	c.reply(200, "OK")
}

func (c *session) restCommand(arg string, _ bool) {
	n, err := strconv.ParseInt(arg, 10, 64)
	switch {
	case err != nil || n < 0:
		c.reply(501, "A number is wanted")
	case c.ascii && n > 0:
		c.reply(501, "Not in TYPE A")
	default:
		c.rest = n
		c.reply(350, "Restarting")
	}
}

func (c *session) retrCommand(arg string, _ bool) {
	n := c.look(resolve(c.cwd, arg))
	if n == nil || n.dir() {
		c.reply(550, "No such file")
		return
	}
	body := n.content // a node is replaced, never modified
	if c.rest > int64(len(body)) {
		c.reply(554, "The file is shorter")
		return
	}
	size := len(body)
	body = body[c.rest:]
	if c.ascii {
		body = bytes.ReplaceAll(body, []byte("\n"), []byte("\r\n"))
	}
	text := fmt.Sprintf("Opening data connection (%d bytes)", size)
	if c.s.behavior.noSizes {
		text = "Opening data connection"
	}
	c.send(text, body, "Done")
}

func (c *session) sizeCommand(arg string, _ bool) {
	n := c.look(resolve(c.cwd, arg))
	switch {
	case c.s.behavior.noSIZE:
		c.reply(502, "Command not implemented")
	case n == nil || n.dir():
		c.reply(550, "No such file")
	case c.ascii:
		c.reply(550, "SIZE not allowed in ASCII mode")
	case c.s.Fault() == peer.WrongCode:
		c.reply(350, "What is next?")
	default:
		c.reply(213, strconv.Itoa(len(n.content)))
	}
}

// mfmtCommand sets the time of a file: "YYYYMMDDHHMMSS name".
func (c *session) mfmtCommand(arg string, _ bool) {
	if c.s.behavior.noMFMT || !c.setTime(arg) {
		c.reply(500, "Unknown command")
		return
	}
	stamp, name, _ := strings.Cut(arg, " ")
	c.reply(213, "Modify="+stamp+"; "+name)
}

// setTime sets the time of a file. It reports whether arg names one after a time.
func (c *session) setTime(arg string) bool {
	stamp, name, _ := strings.Cut(arg, " ")
	at, err := time.Parse("20060102150405", stamp)
	path := resolve(c.cwd, name)
	n := c.look(path)
	if err != nil || n == nil || n.dir() {
		return false
	}
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.s.root.find(path[:len(path)-1]).children[path[len(path)-1]] = &node{content: n.content, modified: at} // a node is replaced, never modified
	return true
}

func (c *session) mdtmCommand(arg string, _ bool) {
	if c.s.behavior.setMDTM && c.setTime(arg) {
		c.reply(213, "File modification time set.")
		return
	}
	n := c.look(resolve(c.cwd, arg))
	switch {
	case n == nil || n.dir():
		c.reply(550, "No such file")
	case c.s.Fault() == peer.WrongCode:
		c.reply(350, "What is next?")
	default:
		c.reply(213, n.modified.UTC().Format("20060102150405"))
	}
}

func (c *session) hashCommand(arg string, _ bool) {
	n := c.look(resolve(c.cwd, arg))
	switch {
	case !c.s.behavior.hash:
		c.reply(500, "Unknown command")
	case n == nil:
		c.reply(550, "No such file")
	case n.dir():
		c.reply(553, "Not a regular file")
	default:
		c.reply(213, fmt.Sprintf("SHA-256 0-%d %x %s", len(n.content), sha256.Sum256(n.content), arg))
	}
}
