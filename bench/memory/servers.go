//go:build linux

package main

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"

	"locator/scheme/ftp/ftptest"
	"locator/scheme/gopher/gophertest"
	"locator/scheme/http/httptest"
	"locator/scheme/wais/waistest"
	"locator/schemetest/peer"
)

// server is a hostile server.
type server struct {
	name  string
	url   string
	quick bool // part of a short run
	close func()
}

// faults are the faults of the test servers that send much, or hold a connection.
var faults = []peer.Fault{peer.EndlessList, peer.EndlessLine, peer.StallBody, peer.Torn, peer.Nonsense, peer.WrongCode}

// startServers starts the test servers with each fault, and the servers of this file.
func startServers() (list []server, err error) {
	add := func(name string, quick bool, s peer.Server, f peer.Fault, err error) error {
		if err != nil {
			return err
		}
		s.Misbehave(f)
		list = append(list, server{name + ", " + string(f), s.URL("").Text(), quick, s.Close})
		return nil
	}
	for _, f := range faults {
		quick := f == peer.EndlessLine
		ftp, err := ftptest.Start(peer.Tree())
		if err := add("ftp", quick, ftp, f, err); err != nil {
			return list, err
		}
		web, err := httptest.Start(peer.Tree())
		if err := add("http", quick, web, f, err); err != nil {
			return list, err
		}
		menus, err := gophertest.Start(peer.Tree())
		if err := add("gopher", quick, menus, f, err); err != nil {
			return list, err
		}
		index, err := waistest.Start(peer.Tree())
		if err := add("wais", quick, index, f, err); err != nil {
			return list, err
		}
	}
	for _, s := range []struct {
		name, scheme, path string
		quick              bool
		talk               func(net.Conn, *bufio.Reader)
	}{
		{"gopher, endless attributes of a menu", "gopher", "/1/%09%09+", false, gopherRecords},
		{"gopher, endless mirrors of an item", "gopher", "/1/", false, gopherMirrors},
		{"gopher, endless views of an item", "gopher", "/1/%09%09$", true, gopherViews},
		{"http, a header without end", "http", "/", true, httpHeader},
		{"http, a gzip bomb", "http", "/", false, httpBomb},
		{"http, an index of links with long names", "http", "/", false, httpLinks},
		{"http, a tag without end", "http", "/", false, httpTag},
		{"http, a text without end", "http", "/", false, httpText},
		{"ftp, a reply without end", "ftp", "/", true, ftpReply},
		{"ftp, long names without end", "ftp", "/", false, ftpListing("type=file;size=1; " + strings.Repeat("n", 200) + "%d\r\n")},
		{"ftp, lines that nobody reads", "ftp", "/", false, ftpListing("%d no listing at all " + strings.Repeat("x", 100) + "\r\n")},
		{"smtp, extensions without end", "smtp", "/", true, mailExtensions},
		{"smtp, a reply without end", "smtp", "/", true, mailReply},
		{"nntp, articles without end", "nntp", "/g.test", true, newsArticles},
		{"nntp, an article without end", "nntp", "/g.test", true, newsArticle},
		{"wais, documents with long headlines", "wais", "/db?x", true, waisHeadlines},
		{"wais, documents with many formats", "wais", "/db?x", false, waisFormats},
		{"wais, diagnostics without end", "wais", "/db?x", false, waisDiagnostics},
		{"telnet, a screen without a line end", "telnet", "/", false, terminalText},
		{"telnet, a control sequence without end", "telnet", "/", false, terminalSequence},
		{"telnet, requests without end", "telnet", "/", true, terminalRequests},
		{"nntp, references without end", "nntp", "/g.test", true, newsReferences},
	} {
		h, err := peer.Listen()
		if err != nil {
			return list, err
		}
		h.Serve(func(c net.Conn) { s.talk(c, bufio.NewReader(c)) })
		list = append(list, server{s.name, s.scheme + "://" + h.Addr() + s.path, s.quick, h.Close})
	}
	more, err := prosperoServers()
	if list = append(list, more...); err != nil {
		return list, err
	}
	more, err = texts()
	return append(list, more...), err
}

// repeat writes format with a growing number until the client closes the connection.
func repeat(w io.Writer, format string) {
	out := bufio.NewWriterSize(w, 64<<10)
	for i := 0; ; i++ {
		if _, err := fmt.Fprintf(out, format, i); err != nil {
			return
		}
	}
}

// gopherRecords answers everything with attributes of items, or with a menu of them to a plain
// request.
func gopherRecords(c net.Conn, r *bufio.Reader) {
	line, _ := r.ReadString('\n')
	if strings.Contains(line, "\t$") {
		io.WriteString(c, "+-2\r\n")
		repeat(c, "+INFO: 0item %d\t/x\t127.0.0.1\t70\t+\r\n+ADMIN:\r\n Admin: a <b@c>\r\n+VIEWS:\r\n Text/plain: <1k>\r\n+ABSTRACT:\r\n text\r\n")
		return
	}
	io.WriteString(c, "+-2\r\n")
	repeat(c, "0item %d\t/x\t127.0.0.1\t70\t+\r\n")
}

func gopherMirrors(c net.Conn, r *bufio.Reader) {
	r.ReadString('\n')
	io.WriteString(c, "0item\t/x\t127.0.0.1\t70\r\n")
	repeat(c, "+mirror %d\t/x\t127.0.0.1\t70\r\n")
}

func gopherViews(c net.Conn, r *bufio.Reader) {
	r.ReadString('\n')
	io.WriteString(c, "+-2\r\n+INFO: 0item\t/x\t127.0.0.1\t70\t+\r\n+VIEWS:\r\n")
	repeat(c, " x/y%d en: <1k>\r\n")
}

func mailExtensions(c net.Conn, r *bufio.Reader) {
	io.WriteString(c, "220 ready\r\n")
	r.ReadString('\n')
	repeat(c, "250-X%d "+strings.Repeat("x", 100)+"\r\n")
}

func mailReply(c net.Conn, r *bufio.Reader) {
	io.WriteString(c, "220 ready\r\n")
	r.ReadString('\n')
	io.WriteString(c, "250 ")
	repeat(c, "x%d")
}

// answer reads a request and writes the header of a page.
func answer(c net.Conn, r *bufio.Reader, fields string) {
	http.ReadRequest(r)
	io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"+fields)
}

func httpHeader(c net.Conn, r *bufio.Reader) {
	answer(c, r, "")
	repeat(c, "X-%d: y\r\n")
}

func httpBomb(c net.Conn, r *bufio.Reader) {
	answer(c, r, "Content-Encoding: gzip\r\n\r\n")
	repeat(gzip.NewWriter(c), "<a href=\"x%d\">x</a>                                                                                \n")
}

func httpLinks(c net.Conn, r *bufio.Reader) {
	answer(c, r, "\r\n<pre>")
	repeat(c, "<a href=\"%d"+strings.Repeat("n", 200)+"\">"+strings.Repeat("n", 200)+"</a> 1994-12-01 10:00 5\n")
}

func httpTag(c net.Conn, r *bufio.Reader) {
	answer(c, r, "\r\n<pre><a href=\"")
	repeat(c, "x%d")
}

func httpText(c net.Conn, r *bufio.Reader) {
	answer(c, r, "\r\n<pre><a href=\"x\">")
	repeat(c, "x%d")
}

func ftpReply(c net.Conn, _ *bufio.Reader) { repeat(c, "220-%d\r\n") }

// ftpListing is an ftp server with a listing of lines without end.
func ftpListing(line string) func(net.Conn, *bufio.Reader) {
	return func(c net.Conn, r *bufio.Reader) {
		var data net.Listener
		defer func() {
			if data != nil {
				data.Close()
			}
		}()
		io.WriteString(c, "220 ready\r\n")
		for {
			text, err := r.ReadString('\n')
			if err != nil {
				return
			}
			verb, _, _ := strings.Cut(strings.TrimSpace(text), " ")
			switch verb {
			case "USER":
				io.WriteString(c, "230 welcome\r\n")
			case "FEAT":
				io.WriteString(c, "211-Features\r\n MLST type*;size*;\r\n UTF8\r\n211 End\r\n")
			case "EPSV":
				if data, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
					return
				}
				fmt.Fprintf(c, "229 ok (|||%d|)\r\n", data.Addr().(*net.TCPAddr).Port)
			case "MLSD", "LIST", "NLST":
				io.WriteString(c, "150 here it comes\r\n")
				if to, err := data.Accept(); err == nil {
					repeat(to, line)
					to.Close()
				}
				data.Close()
				io.WriteString(c, "226 done\r\n")
			case "QUIT":
				return
			default:
				io.WriteString(c, "200 ok\r\n")
			}
		}
	}
}

// newsArticles is a news server with as many articles as anybody asks for, which sends more than
// that.
func newsArticles(c net.Conn, r *bufio.Reader) {
	news(c, r, "", func() { repeat(c, "220 %d <a@b.example>\r\nSubject: s\r\n\r\ntext\r\n.\r\n") })
}

// newsArticle is a news server whose first article never ends.
func newsArticle(c net.Conn, r *bufio.Reader) {
	news(c, r, "", func() {
		io.WriteString(c, "220 1 <a@b.example>\r\nSubject: s\r\n\r\n")
		repeat(c, "line %d of a text without end\r\n")
	})
}

// newsReferences is a news server whose articles reply to thousands of others.
func newsReferences(c net.Conn, r *bufio.Reader) {
	news(c, r, strings.Repeat("<@>", 2500), func() {})
}

// news talks NNTP up to the first ARTICLE, which article answers. Each article in the overview has
// these references.
func news(c net.Conn, r *bufio.Reader, references string, article func()) {
	io.WriteString(c, "200 ready\r\n")
	for {
		line, err := r.ReadString('\n')
		switch {
		case err != nil:
			return
		case strings.HasPrefix(line, "GROUP"):
			io.WriteString(c, "211 900000 1 900000 g.test\r\n")
		case strings.HasPrefix(line, "OVER"), strings.HasPrefix(line, "XOVER"):
			io.WriteString(c, "224 overview\r\n")
			repeat(c, "%d\tsubject\ta@b.example\t1 Dec 1994 12:00:00 GMT\t<a@b.example>\t"+references+"\t100\t5\r\n")
			return
		case strings.HasPrefix(line, "ARTICLE"):
			article()
			return
		default:
			io.WriteString(c, "500 what?\r\n")
		}
	}
}

// waisRecords answers a search with a record again and again, as far as a packet can announce.
func waisRecords(c net.Conn, r *bufio.Reader, record string) {
	if _, err := r.Discard(25); err != nil { // the header of the packet
		return
	}
	io.WriteString(c, "0268435455z2wais        0\x00\x0b\x17"+strings.Repeat("\x00", 10)+"\x63\xff\xff\xff\x00")
	peer.Flood(c, func(int) string { return record })
}

// waisElement returns an element of a WAIS record. Its value has less than 16,384 bytes.
func waisElement(tag, value string) string {
	return tag + string([]byte{byte(len(value)>>7) | 0x80, byte(len(value) & 0x7f)}) + value
}

func waisHeadlines(c net.Conn, r *bufio.Reader) {
	waisRecords(c, r, waisElement("\x81\x16", "\x74\x01x"+waisElement("\x7b", strings.Repeat("n", 8000))))
}

func waisFormats(c net.Conn, r *bufio.Reader) {
	formats := strings.Repeat(waisElement("\x81\x05", "T"), 64)
	waisRecords(c, r, waisElement("\x81\x16", waisElement("\x74", strings.Repeat("i", 8000))+waisElement("\x81\x04", formats)))
}

func waisDiagnostics(c net.Conn, r *bufio.Reader) {
	waisRecords(c, r, "\x1c\x04\x03S2"+strings.Repeat("n", 1024)+"\x00\x1d")
}
