package main

import (
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"locator"
	"locator/scheme/ftp/ftptest"
	"locator/scheme/gopher/gophertest"
	"locator/scheme/http/httptest"
	"locator/scheme/mailto/smtptest"
	"locator/scheme/nntp/nntptest"
	"locator/scheme/telnet/telnettest"
	"locator/scheme/wais/waistest"
	"locator/schemetest/peer"
)

// servers holds the servers that a script has started, by script and name.
var servers sync.Map

type serverKey struct{ script, name string }

// startServer is the script command "server NAME...". It starts in-process servers of the common
// tree, and sets HTTP, FTP and GOPHER to their host:port.
func startServer(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: server NAME...")
	}
	for _, name := range args {
		s, err := open(name)
		if err != nil {
			ts.Fatalf("server %s: %v", name, err)
		}
		key := serverKey{ts.Name(), name}
		servers.Store(key, s)
		ts.Defer(func() {
			servers.Delete(key)
			s.Close()
		})
		u := s.URL("")
		ts.Setenv(strings.ToUpper(name), u.Host()+":"+u.Port())
	}
}

// server is a test server.
type server interface {
	URL(path ...string) locator.URL
	Close()
}

func open(name string) (server, error) {
	switch name {
	case "plus":
		return startPlus()
	case "http":
		return httptest.Start(peer.Tree())
	case "ftp":
		return ftptest.Start(peer.Tree())
	case "named":
		return ftptest.Start(peer.Tree(), ftptest.NoMLSD(), ftptest.Unreadable("text.txt", "motd"))
	case "heading":
		return ftptest.Start(peer.Tree(), ftptest.NoMLSD(), ftptest.Heading("Inhalt des Ordners, mit Dank an alle"))
	case "headed":
		return ftptest.Start(peer.Tree(), ftptest.NoMLSD(), ftptest.NoNLST(), ftptest.Heading("Inhalt des Ordners, mit Dank an alle"))
	case "modeline":
		return ftptest.Start(peer.Tree(), ftptest.NoMLSD(), ftptest.Heading("drwx-what-is-this"))
	case "unread":
		return ftptest.Start(peer.Tree(), ftptest.NoMLSD(), ftptest.NoNLST(), ftptest.Unreadable("text.txt"))
	case "unkind":
		return ftptest.Start(peer.Tree(), ftptest.NoMLSD(), ftptest.Unreadable("etc"))
	case "short":
		s, err := ftptest.Start(peer.Tree())
		if err == nil {
			s.TruncateLists(1)
		}
		return s, err
	case "digests":
		return ftptest.Start(peer.Tree(), ftptest.Digests())
	case "news":
		return nntptest.Start(peer.Tree(), newsArticles()...)
	case "lostnews": // it lists articles that it cannot send
		s, err := nntptest.Start(nil, append(newsArticles(), nntptest.Article("local.cross", article("b1@news.example", "", "Other matter", "Hello.\r\n.dot\r\n")))...)
		if err == nil {
			s.Hide("local.talk", 1, 3)
		}
		return s, err
	case "oldnews":
		return nntptest.Start(nil, nntptest.Old(), nntptest.Article("local.old", article("old1@news.example", "", "An old one", "Old.\r\n")))
	case "mail": // a submission server
		return startMail(smtptest.Refuse("gone@tree.example", "550 5.1.1 no such user"), smtptest.Refuse("full@tree.example", "452 4.2.2 mailbox full"))
	case "closedmail": // which wants a login over TLS, and offers no TLS
		return startMail(smtptest.Login("PLAIN LOGIN"))
	case "telnet":
		return telnettest.Start()
	case "board": // asks for what the client has and for what it refuses, and greets in the code page of the IBM PC
		return telnettest.Start(telnettest.Ask(253, 24), telnettest.Ask(253, 34), telnettest.Greeting("\xb0\xb1\xb2 caf\x82\r\n"))
	case "wais":
		return waistest.Start(peer.Tree())
	case "gopher":
		return gophertest.Start(peer.Tree())
	}
	return nil, exec.ErrNotFound
}

// mailServer is a server with its own URL: those of mail name none.
type mailServer struct{ *smtptest.Server }

func (s mailServer) URL(...string) locator.URL { return s.ServerURL() }

func startMail(opts ...smtptest.Option) (server, error) {
	s, err := smtptest.Start(opts...)
	return mailServer{s}, err
}

// newsArticles returns a group with two threads.
func newsArticles() []nntptest.Option {
	var opts []nntptest.Option
	for _, a := range [][3]string{
		{"a1@news.example", "", "First question"}, {"b1@news.example", "", "Other matter"}, {"a2@news.example", "<a1@news.example>", "Re: First question"},
		{"a3@news.example", "<a1@news.example> <a2@news.example>", "=?utf-8?q?Re=3A_caf=C3=A9?="},
	} {
		opts = append(opts, nntptest.Article("local.talk", article(a[0], a[1], a[2], "Hello.\r\n.dot\r\n")))
	}
	files := "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nSee the caf=E9.\r\n" +
		"--b\r\nContent-Type: image/gif; name=\"../../caf\u00e9.gif\"\r\nContent-Transfer-Encoding: base64\r\n\r\nR0lG\r\n" +
		"--b\r\n\r\nbegin 644 hello.gif\r\n#1TE&\r\n`\r\nend\r\n--b--\r\n"
	torn := "\r\n=ybegin line=128 size=6 name=torn.bin\r\n\x8b\x8c\x8d\r\n"
	large := "Content-Type: image/gif; name=large.gif\r\nContent-Transfer-Encoding: base64\r\n\r\n" + strings.Repeat("R0lG\r\n", 1000)
	for i, text := range []string{files, torn, large} {
		opts = append(opts, nntptest.Article("local.files", strings.Replace(article(strconv.Itoa(i)+"@files.example", "", "Files", text), "\r\n\r\n", "\r\n", 1)))
	}
	return opts
}

// article returns the text of an article.
func article(id, references, subject, body string) string {
	text := "From: Alice Example <alice@example.com>\r\nNewsgroups: local.talk\r\nSubject: " + subject + "\r\nDate: 1 Dec 1994 12:00:00 GMT\r\nMessage-ID: <" + id + ">\r\n"
	if references != "" {
		text += "References: " + references + "\r\n"
	}
	return text + "\r\n" + body
}

// startPlus starts a gopher server with the features of Gopher+: a document with views, a form, a
// menu with an unavailable item that has a mirror, and a uuencoded file.
func startPlus() (server, error) {
	copies, err := gophertest.Start(peer.Tree())
	if err != nil {
		return nil, err
	}
	_, open, _ := net.SplitHostPort(copies.Addr())
	s, err := gophertest.Start(peer.Tree(),
		gophertest.Document("doc", "About doc.\nIn two lines.",
			gophertest.View{Type: "text/plain", Language: "De_DE", Content: "Hallo\n"},
			gophertest.View{Type: "text/plain", Language: "En_US", Content: "Hello\n"}),
		gophertest.Ask("form", gophertest.Form{Ask: []string{"Note: Please", "Ask: Name\tnobody", "AskP: Password", "Choose: Colour\tred\tgreen"}}),
		gophertest.Ask("upload", gophertest.Form{Ask: []string{"Ask: Title", "ChooseF: File"}}),
		gophertest.Reply("/short\t+", "+10\r\nhello"),
		gophertest.Reply("/mirrored", "0motd\t/busy\t\t\t+\r\n+motd\t/etc/motd\t127.0.0.1\t"+open+"\r\n.\r\n"),
		gophertest.Reply("/busy\t+", "--1\r\n2 Keeper <keeper@host.invalid>\r\nToo many readers\r\n.\r\n"),
		gophertest.Reply("robots.txt", "User-agent: *\r\nDisallow: /names\r\n.\r\n"),
		gophertest.Reply("/hello.uu", "begin 644 hello.gif\r\n#1TE&\r\n`\r\nend\r\n.\r\n"),
	)
	if err != nil {
		copies.Close()
		return nil, err
	}
	return both{s, copies}, nil
}

// both is two servers that are closed together.
type both struct {
	*gophertest.Server
	other server
}

func (b both) Close() {
	b.Server.Close()
	b.other.Close()
}

// setFault is the script command "fault NAME FAULT": a server misbehaves from now on; "fault NAME
// ”" ends it.
func setFault(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: fault NAME FAULT")
	}
	s, ok := servers.Load(serverKey{ts.Name(), args[0]})
	if !ok {
		ts.Fatalf("no server %s", args[0])
	}
	s.(peer.Server).Misbehave(peer.Fault(args[1]))
}

// closedPort is the script command "closedport". It sets CLOSED to a port without a listener.
func closedPort(ts *testscript.TestScript, neg bool, args []string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		ts.Fatalf("%v", err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	l.Close()
	ts.Setenv("CLOSED", port)
}

// envSubst is the script command "envsubst FILE". It replaces environment variables in a file.
func envSubst(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: envsubst FILE")
	}
	text := os.Expand(ts.ReadFile(args[0]), ts.Getenv)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o600))
}

// makeOld is the script command "old FILE...". It gives files a time of long ago.
func makeOld(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: old FILE...")
	}
	at := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	for _, name := range args {
		ts.Check(os.Chtimes(ts.MkAbs(name), at, at))
	}
}

// wantStatus is the script command "status N locator ARG...". It fails if the exit status is not N.
func wantStatus(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	if err != nil {
		ts.Fatalf("status %q is no number", args[0])
	}
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if exit, ok := err.(*exec.ExitError); ok {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}
