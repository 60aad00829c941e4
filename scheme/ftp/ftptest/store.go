package ftptest

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"time"
)

// maxFile bounds the size of a stored file.
const maxFile = 64 << 20

func (c *session) storCommand(arg string, _ bool) { c.store(resolve(c.cwd, arg), "Ready", false) }

func (c *session) appeCommand(arg string, _ bool) { c.store(resolve(c.cwd, arg), "Ready", true) }

func (c *session) stouCommand(string, bool) {
	c.s.mu.Lock()
	c.s.serial++
	name := fmt.Sprintf("unique%d", c.s.serial)
	c.s.mu.Unlock()
	c.store(resolve(c.cwd, name), "FILE: "+name, false)
}

// store receives a body. Only a complete body is put into the tree, except by TearUploads.
func (c *session) store(path []string, text string, add bool) {
	if len(path) == 0 {
		c.reply(553, "No name")
		return
	}
	parent, name := c.look(path[:len(path)-1]), path[len(path)-1]
	if parent == nil || !parent.dir() {
		c.reply(550, "No such directory")
		return
	}
	c.s.mu.Lock()
	old := parent.children[name]
	c.s.mu.Unlock()
	if old != nil && (old.dir() || c.s.behavior.noRename && !add) {
		c.reply(553, "Could not create file.")
		return
	}
	conn, ok := c.open(text)
	if !ok {
		return
	}
	tear, most := c.s.tear()
	body, err := io.ReadAll(io.LimitReader(conn, most))
	c.done(conn)
	switch {
	case err != nil:
		c.reply(426, "The data connection broke")
		return
	case len(body) > maxFile:
		c.reply(552, "Too large")
		return
	}
	if c.ascii {
		body = bytes.ReplaceAll(body, []byte("\r\n"), []byte("\n"))
	}
	c.s.mu.Lock()
	if add && old != nil {
		body = append(append([]byte(nil), old.content...), body...)
	}
	parent.children[name] = &node{content: body, modified: time.Now().UTC().Truncate(time.Second)}
	c.s.mu.Unlock()
	if tear {
		c.conn.Close()
		return
	}
	c.reply(226, "Stored")
}

// TearUploads makes the server break off the next n uploads after some bytes, which stay in the
// file, and close the control connection.
func (s *Server) TearUploads(n int, after int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.torn, s.tornAt = n, after
}

// tear reports whether the upload that begins is to be torn, and how many bytes of it are read.
func (s *Server) tear() (tear bool, most int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.torn == 0 {
		return false, maxFile + 1
	}
	s.torn--
	return true, s.tornAt
}

func (c *session) rnfrCommand(arg string, _ bool) {
	path := resolve(c.cwd, arg)
	switch {
	case c.s.behavior.noRename:
		c.reply(550, "Permission denied.")
	case c.look(path) == nil || len(path) == 0:
		c.reply(550, "No such file or directory")
	default:
		c.from = path
		c.reply(350, "What is the new name?")
	}
}

func (c *session) rntoCommand(arg string, _ bool) {
	from, to := c.from, resolve(c.cwd, arg)
	c.from = nil
	if from == nil || len(to) == 0 {
		c.reply(503, "RNFR first")
		return
	}
	c.reply(c.rename(from, to))
}

func (c *session) rename(from, to []string) (int, string) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	parent := c.s.root.find(to[:len(to)-1])
	old := c.s.root.find(from[:len(from)-1])
	name, last := to[len(to)-1], from[len(from)-1]
	switch {
	case parent == nil || !parent.dir() || old == nil || old.children[last] == nil:
		return 550, "No such directory"
	case slices.Equal(from, to[:min(len(from), len(to))]):
		return 550, "A directory cannot be moved into itself"
	case parent.children[name] != nil && (c.s.behavior.noOver || parent.children[name].dir()):
		return 550, "File exists"
	}
	n := old.children[last]
	delete(old.children, last)
	parent.children[name] = n
	return 250, "Renamed"
}

func (c *session) deleCommand(arg string, _ bool) { c.remove(arg, false) }

func (c *session) rmdCommand(arg string, _ bool) { c.remove(arg, true) }

func (c *session) remove(arg string, dir bool) {
	c.write(c.s.remove(resolve(c.cwd, arg), dir) + "\r\n")
}

func (s *Server) remove(path []string, dir bool) (reply string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.root.find(path)
	switch {
	case s.behavior.noRename:
		return "550 Permission denied."
	case n == nil || len(path) == 0:
		return "550 No such file or directory"
	case n.link != nil && dir:
		return n.link.rmd
	case n.link != nil:
		return n.link.dele
	case n.dir() && !dir:
		return "550 Is a directory"
	case dir && !n.dir():
		return "550 Not a directory"
	case dir && len(n.children) > 0:
		return s.behavior.fullRMD
	}
	delete(s.root.find(path[:len(path)-1]).children, path[len(path)-1])
	return "250 Removed"
}

func (c *session) mkdCommand(arg string, _ bool) {
	c.reply(c.s.makeDirectory(resolve(c.cwd, arg)))
}

func (s *Server) makeDirectory(path []string) (int, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(path) == 0 || s.root.find(path) != nil {
		return 550, "File exists"
	}
	parent := s.root.find(path[:len(path)-1])
	if parent == nil || !parent.dir() {
		return 550, "No such directory"
	}
	parent.children[path[len(path)-1]] = newDir(time.Now().UTC().Truncate(time.Second))
	return 257, `"` + show(path) + `" created`
}
