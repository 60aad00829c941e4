package linkfarm

import (
	"bufio"
	"io"
	"net"
	"strings"
	"sync/atomic"
)

// script has the replies of a server to command lines: to the whole line, or to its verb. The
// greeting is that of "". A reply "close" closes the connection. Without a reply it is other.
type script struct {
	replies map[string]string
	other   string
}

func (s script) talk(c net.Conn) { dialogue(c, s.reply) }

// reply returns the reply to a command line.
func (s script) reply(line string) string {
	verb, _, _ := strings.Cut(line, " ")
	text, ok := s.replies[line]
	if !ok {
		text, ok = s.replies[strings.ToUpper(verb)]
	}
	if !ok {
		text = s.other
	}
	return text
}

// dialogue answers the lines of a connection.
func dialogue(c net.Conn, answer func(line string) string) {
	reply := func(text string) bool {
		if text == "close" {
			return false
		}
		_, err := io.WriteString(c, strings.ReplaceAll(text, "\n", "\r\n")+"\r\n")
		return err == nil
	}
	if !reply(answer("")) {
		return
	}
	for in := bufio.NewScanner(c); in.Scan(); {
		if !reply(answer(strings.TrimSpace(in.Text()))) {
			return
		}
	}
}

// with returns the script with other replies, given as command and reply in turns.
func (s script) with(change ...string) script {
	replies := make(map[string]string)
	for k, v := range s.replies {
		replies[k] = v
	}
	for i := 0; i+1 < len(change); i += 2 {
		replies[change[i]] = change[i+1]
	}
	return script{replies, s.other}
}

// onceThen talks by one script until its first n replies that the other would not give, and then by
// the other.
func onceThen(n int64, bad, good script) func(net.Conn) {
	var seen atomic.Int64
	return func(c net.Conn) {
		dialogue(c, func(line string) string {
			text := good.reply(line)
			if wrong := bad.reply(line); wrong != text && seen.Add(1) <= n {
				return wrong
			}
			return text
		})
	}
}

// dialogues plants links of ftp, news and telnet at servers with troubles.
func (f *Farm) dialogues() error {
	ftp := script{map[string]string{
		"": "220 ready", "USER": "331 password", "PASS": "230 in", "TYPE": "200 ok", "PWD": `257 "/"`, "CWD": "250 ok", "SIZE": "213 10", "MDTM": "213 20200101000000", "QUIT": "221 bye",
		"SIZE gone": "550 gone: No such file or directory", "MDTM gone": "550 gone: No such file or directory", "CWD gone": "550 gone: No such file or directory",
		"SIZE secret": "550 secret: Permission denied", "MDTM secret": "550 secret: Permission denied", "CWD secret": "550 secret: Permission denied",
		"SIZE busy": "450 busy: file in use", "MDTM busy": "450 busy: file in use", "CWD busy": "450 busy: file in use",
		"SIZE dir": "550 dir: not a plain file", "MDTM dir": "550 dir: not a plain file",
	}, "500 unknown command"}
	refused, err := f.refused()
	if err != nil {
		return err
	}
	f.add("ftp://"+refused+"/file", "ftp refused", "broken unreachable")
	f.add("telnet://"+refused+"/", "telnet refused", "broken unreachable")
	f.add("gopher://"+refused+"/", "gopher refused", "broken unreachable")
	f.add("nntp://"+refused+"/a.group/1", "nntp refused", "broken unreachable")
	f.add("wais://"+refused+"/base?word", "wais refused", "broken unreachable")
	file := func(right string) map[string]string { return map[string]string{"/file": right} }
	for _, s := range []struct {
		does  string
		talk  func(net.Conn)
		links map[string]string
	}{
		{"ftp", ftp.talk, map[string]string{"/file": ok, "/gone": notFound, "/secret": login, "/busy": failed, "/dir": ok, "/dir/file": ok, "/gone/file": notFound, "/": ok, "/file;type=i": ok, "/dir/;type=d": ok}},
		{"ftp 421 first", onceThen(1, ftp.with("", "421 too many users"), ftp), file(ok)},
		{"ftp 421 first, then 550", onceThen(1, ftp.with("", "421 too many users"), ftp), map[string]string{"/gone": notFound}},
		{"ftp 421 at the login", onceThen(1, ftp.with("PASS", "421 too many users"), ftp), file(ok)},
		{"ftp 421 always", ftp.with("", "421 too many users").talk, file(failed)},
		{"ftp 450 first", onceThen(3, ftp.with("SIZE", "450 try again", "MDTM", "450 try again", "CWD", "450 try again"), ftp), file(ok)},
		{"ftp 530", ftp.with("PASS", "530 no anonymous users").talk, file(login)},
		{"ftp 530 at USER", ftp.with("USER", "530 no anonymous users").talk, file(login)},
		{"ftp closes", ftp.with("", "close").talk, file(failed)},
		{"ftp closes after USER", ftp.with("USER", "close").talk, file(failed)},
		{"ftp knows nothing", script{map[string]string{"": "220 ready"}, "500 what"}.talk, file(failed)},
		{"ftp nonsense", script{map[string]string{"": "SSH-2.0-OpenSSH"}, "no"}.talk, file(failed)},
		{"ftp hangs", func(c net.Conn) { io.Copy(io.Discard, c) }, file(late)},
		{"ftp 451", ftp.with("SIZE", "451 local error", "MDTM", "451 local error", "CWD", "451 local error").talk, file(failed)},
		{"ftp closed first", onceThen(1, ftp.with("", "close"), ftp), file(ok)},
	} {
		if err := f.talk("ftp", s.does, s.talk, s.links); err != nil {
			return err
		}
	}
	return f.newsServers()
}

// newsServers plants links of nntp.
func (f *Farm) newsServers() error {
	news := script{map[string]string{
		"": "200 ready", "CAPABILITIES": "101 list\nVERSION 2\nREADER\n.", "MODE": "200 ok", "GROUP": "411 no such group", "GROUP a.group": "211 2 1 2 a.group", "GROUP empty.group": "211 0 0 0 empty.group",
		"STAT": "423 no such article", "STAT 1": "223 1 <1@farm.test>", "STAT <1@farm.test>": "223 0 <1@farm.test>", "QUIT": "205 bye",
	}, "500 unknown command"}
	one := func(right string) map[string]string { return map[string]string{"/a.group/1": right} }
	for _, s := range []struct {
		does  string
		talk  func(net.Conn)
		links map[string]string
	}{
		{"nntp", news.talk, map[string]string{"/a.group/1": ok, "/a.group/7": notFound, "/no.group/1": notFound, "/a.group": ok, "/no.group": notFound, "/empty.group": ok}},
		{"nntp 400", news.with("", "400 come back later").talk, one(failed)},
		{"nntp 400 first", onceThen(1, news.with("", "400 come back later"), news), one(ok)},
		{"nntp 400 first, then expired", onceThen(1, news.with("", "400 come back later"), news), map[string]string{"/a.group/7": notFound}},
		{"nntp 502", news.with("", "502 no permission").talk, one(login)},
		{"nntp 480", news.with("GROUP a.group", "480 log in").talk, one(login)},
		{"nntp 503", news.with("STAT 1", "503 a fault").talk, one(failed)},
		{"nntp 403", news.with("GROUP a.group", "403 a fault").talk, one(failed)},
		{"nntp closes", news.with("", "close").talk, one(failed)},
		{"nntp closes after GROUP", news.with("GROUP a.group", "close").talk, one(failed)},
		{"nntp nonsense", script{map[string]string{"": "HTTP/1.1 400 Bad Request"}, "no"}.talk, one(failed)},
		{"nntp hangs", func(c net.Conn) { io.Copy(io.Discard, c) }, one(late)},
	} {
		if err := f.talk("nntp", s.does, s.talk, s.links); err != nil {
			return err
		}
	}
	return nil
}

// menus plants links of gopher at servers with troubles.
func (f *Farm) menus() error {
	const menu = "0A text\ttext\tlocalhost\t70\r\n.\r\n"
	replies := map[string]struct{ path, reply, right string }{
		"a menu": {"/1", menu, ok}, "a text": {"/0/text", "A text.\r\n.\r\n", ok}, "an empty menu": {"/1/empty", ".\r\n", ok}, "a text without a dot": {"/0/plain", "A text", ok},
		"a picture": {"/g/a.gif", "GIF89a", ok}, "a file": {"/9/a.bin", "\x00\x01", ok}, "a page": {"/h/a.html", pageText, ok}, "a text with a digit": {"/0/three", "3 blind mice\r\nsee how they run\r\n.\r\n", ok},
		"a text about errors":  {"/0/about", "Error: File or directory not found! is what gophernicus says.\r\n" + strings.Repeat("And more of it.\r\n", 50) + ".\r\n", ok},
		"an error of UMN":      {"/0/nope", "0'/nope' does not exist!!\t\terror.host\t1\r\n.\r\n", notFound},
		"an error item":        {"/1/nope", "3'/nope' does not exist (no handler found)\t\terror.host\t1\r\n", notFound},
		"an error for a text":  {"/0/nope2", "3'/nope' does not exist (no handler found)\t\terror.host\t1\r\n", notFound},
		"an error for a file":  {"/9/nope3", "3'/nope3' does not exist\t\terror.host\t1\r\n.\r\n", notFound},
		"an error of a menu":   {"/1/nope4", "3Error: File or directory not found!\tTITLE\tnull.host\t1\r\n.\r\n", notFound},
		"an error of no host":  {"/0/nope5", "3Not found\tfake\t(NULL)\t0\r\n", notFound},
		"gophernicus":          {"/0/nope6", "Error: File or directory not found!\r\n-------------------\r\n.\r\n", notFound},
		"an error with notes":  {"/1/nope7", "iSorry\tfake\t(NULL)\t0\r\n3Not found\tfake\t(NULL)\t0\r\n.\r\n", notFound},
		"nothing":              {"/0/void", "", ok},
		"nothing for a menu":   {"/1/void", "", failed},
		"an empty text":        {"/0/nil", ".\r\n", ok},
		"a web page":           {"/0/web", "HTTP/1.1 400 Bad Request\r\n\r\n", failed},
		"gopher+ no such item": {"/0/gone%09%09+", "--1\r\n1 Admin <admin@farm.test>\r\nno such item\r\n.\r\n", notFound},
		"gopher+ try later":    {"/0/later%09%09+", "--1\r\n2 Admin <admin@farm.test>\r\ntoo busy\r\n.\r\n", failed},
		"a menu of news":       {"/1/news", "iWelcome\t\tnull.host\t1\r\n" + menu, ok},
	}
	for does, x := range replies {
		if err := f.talk("gopher", does, func(c net.Conn) {
			bufio.NewReader(io.LimitReader(c, 1024)).ReadString('\n')
			io.WriteString(c, x.reply)
		}, map[string]string{x.path: x.right}); err != nil {
			return err
		}
	}
	if err := f.talk("gopher", "closes", reset, map[string]string{"/0/text": failed}); err != nil {
		return err
	}
	var seen atomic.Int64
	if err := f.talk("gopher", "closes first", func(c net.Conn) {
		if seen.Add(1) > 1 {
			bufio.NewReader(io.LimitReader(c, 1024)).ReadString('\n')
			io.WriteString(c, menu)
		}
	}, map[string]string{"/1/menu": ok}); err != nil {
		return err
	}
	return f.talk("gopher", "hangs", func(c net.Conn) { io.Copy(io.Discard, c) }, map[string]string{"/0/text": late})
}

// reset ends a connection with RST, so that it does not look like the end of an empty document.
func reset(c net.Conn) {
	if x, ok := c.(*counted); ok {
		if t, ok := x.Conn.(*net.TCPConn); ok {
			t.SetLinger(0)
		}
	}
}
