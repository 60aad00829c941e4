package nntptest

import (
	"bufio"
	"io"
	"strings"

	"locator/schemetest/peer"
)

// maxArticle bounds what POST reads, in bytes.
const maxArticle = 64 << 20

// NoPosting makes the server answer 440 to POST.
func NoPosting() Option { return Reply("POST", "440 Posting not permitted\r\n") }

// Silence is the reply to an article of a server that waits for the client to close the connection.
const Silence = "\x00"

// Posted makes the server take no article, and answer with these bytes after its end; with none, it
// closes the connection.
func Posted(bytes string) Option { return func(b *behavior) { b.posted = &bytes } }

// Messages implements peer.Mailbox. It returns the articles as they were posted.
func (s *Server) Messages() []string {
	s.spool.mu.Lock()
	defer s.spool.mu.Unlock()
	return append([]string(nil), s.spool.posted...)
}

// post takes an article (RFC 3977 6.3.1).
func (c *session) post(string, []string) bool {
	c.say("340 Send it")
	text, ok := readArticle(c.r)
	if !ok {
		return false
	}
	if reply := c.s.behavior.posted; reply != nil {
		if *reply == Silence {
			peer.Hang(c.conn)
			return false
		}
		return *reply != "" && c.write(*reply)
	}
	reply := c.s.spool.take(text)
	if c.s.Fault() == peer.Unanswered {
		return false
	}
	c.say(reply)
	return true
}

// readArticle reads lines up to the single dot. ok is false if there is none.
func readArticle(r *bufio.Reader) (text string, ok bool) {
	var b strings.Builder
	for start := true; b.Len() < maxArticle; {
		piece, err := r.ReadSlice('\n')
		if err != nil && err != bufio.ErrBufferFull {
			return "", false
		}
		line := string(piece)
		if start && line == ".\r\n" {
			return b.String(), true
		}
		if start {
			line = strings.TrimPrefix(line, ".")
		}
		b.WriteString(line)
		start = err == nil
	}
	_, _ = io.Copy(io.Discard, r)
	return "", false
}

// take stores an article, with the fields that a server adds (RFC 5537 3.5), and returns the reply.
func (s *spool) take(text string) string {
	id := field(text, "Message-ID")
	header, body, ok := strings.Cut(text, "\r\n\r\n")
	switch {
	case !ok || body == "":
		return "441 No text"
	case strings.ContainsAny(strings.ReplaceAll(text, "\r\n", ""), "\r\n\x00"):
		return "441 NUL, or CR or LF alone"
	}
	for _, name := range []string{"From", "Subject", "Newsgroups", "Date", "Message-ID"} {
		if strings.Count("\r\n"+strings.ToLower(header), "\r\n"+strings.ToLower(name)+": ") != 1 {
			return "441 There must be one field " + name
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.byID[id]; ok {
		return "441 Duplicate"
	}
	var groups []*newsgroup
	for name := range strings.SplitSeq(field(text, "Newsgroups"), ",") {
		g := s.groups[strings.TrimSpace(name)]
		if g == nil {
			return "441 No such group"
		}
		groups = append(groups, g)
	}
	s.posted = append(s.posted, text)
	stored := "Path: nntptest.example!not-for-mail\r\n" + header + "\r\nInjection-Info: nntptest.example\r\n\r\n" + body
	s.byID[id] = stored
	for _, g := range groups {
		n := int64(1)
		if len(g.numbers) > 0 {
			n += g.numbers[len(g.numbers)-1]
		}
		g.numbers = append(g.numbers, n)
		g.articles[n] = stored
	}
	if old, ok := strings.CutPrefix(field(text, "Control"), "cancel "); ok {
		s.cancel(old)
	}
	return "240 Article received " + id
}

// cancel removes an article. The caller holds mu.
func (s *spool) cancel(id string) {
	delete(s.byID, id)
	for _, g := range s.groups {
		for i := 0; i < len(g.numbers); i++ {
			if n := g.numbers[i]; field(g.articles[n], "Message-ID") == id {
				delete(g.articles, n)
				g.numbers = append(g.numbers[:i:i], g.numbers[i+1:]...)
				i--
			}
		}
	}
}
