package ftptest

import (
	"crypto/tls"
	"slices"
	"strings"
)

func (c *session) userCommand(arg string, _ bool) {
	c.user, c.loggedIn = arg, false
	if c.s.behavior.noPass {
		c.welcome()
		return
	}
	c.reply(331, "Password required")
}

func (c *session) passCommand(arg string, _ bool) {
	password, known := c.s.behavior.users[c.user]
	switch {
	case c.user == "anonymous" || c.user == "ftp", known && arg == password:
		if c.s.behavior.account != "" {
			c.needAcct = true
			c.reply(332, "Account required")
			return
		}
		c.welcome()
	default:
		c.reply(530, "Login incorrect")
	}
}

func (c *session) acctCommand(arg string, _ bool) {
	switch {
	case !c.needAcct:
		c.reply(202, "Not needed")
	case arg == c.s.behavior.account:
		c.welcome()
	default:
		c.reply(530, "Login incorrect")
	}
}

func (c *session) welcome() {
	c.loggedIn, c.cwd = true, slices.Clone(c.s.behavior.home)
	c.reply(230, "Welcome")
}

func (c *session) authCommand(arg string, _ bool) {
	if c.s.behavior.tls == nil || !strings.EqualFold(arg, "TLS") {
		c.reply(502, "Not offered")
		return
	}
	c.reply(234, "Go ahead")
	if !c.startTLS() {
		c.conn.Close()
	}
}

// startTLS starts TLS on the control connection.
func (c *session) startTLS() bool {
	over := tls.Server(c.conn, c.s.behavior.tls)
	if over.Handshake() != nil {
		return false
	}
	c.conn, c.secure = over, true
	c.r.Reset(over)
	return true
}

func (c *session) pbszCommand(string, bool) {
	if !c.secure {
		c.reply(503, "AUTH first")
		return
	}
	c.reply(200, "PBSZ=0")
}

func (c *session) protCommand(arg string, _ bool) {
	switch {
	case !c.secure:
		c.reply(503, "AUTH first")
	case strings.EqualFold(arg, "P"), strings.EqualFold(arg, "C"):
		c.private = strings.EqualFold(arg, "P")
		c.reply(200, "OK")
	default:
		c.reply(536, "P or C only")
	}
}

func (c *session) featCommand(string, bool) {
	m := &c.s.behavior
	if m.noFEAT {
		c.reply(500, "Unknown command")
		return
	}
	list := []string{"MDTM", "SIZE", "UTF8", "TVFS", "REST STREAM"}
	if !m.noEPSV {
		list = append(list, "EPSV")
	}
	if !m.noMLSD {
		list = append(list, "MLST type*;size*;modify*;perm*;")
	}
	if m.hash {
		list = append(list, "HASH SHA-256*")
	}
	if !m.noMFMT {
		list = append(list, "MFMT")
	}
	if m.tls != nil {
		list = append(list, "AUTH TLS", "PBSZ", "PROT")
	}
	c.replyLines(211, "Features:", list, "End")
}

func (c *session) optsCommand(arg string, _ bool) {
	if f := strings.Fields(strings.ToUpper(arg)); len(f) > 0 && (f[0] == "UTF8" || f[0] == "MLST") {
		c.reply(200, "OK")
		return
	}
	c.reply(501, "No such option")
}
