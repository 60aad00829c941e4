package schemetest

import (
	"context"
	"errors"
	"strings"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/schemetest/peer"
)

// author is the configured mail address of the suite's clients.
const author = "alice@example.org"

// letter has what transports change: dots and "From " at the beginning of lines, blanks at their
// ends, and empty lines at the end.
const letter = "Subject: A message of the suite\n\n.\n..two\n.text\nFrom here\nblanks  \n\n\n"

// poster returns a client with an author, and the URL to send to.
func (s *stage) poster(change ...func(*client.Options)) (*client.Client, locator.URL) {
	s.Helper()
	author := func(o *client.Options) { o.Mail = author }
	return s.client(append([]func(*client.Options){author}, change...)...), s.h.Post(s.server)
}

// messages returns what the server has taken.
func (s *stage) messages() []string {
	s.Helper()
	box, ok := s.server.(peer.Mailbox)
	if !ok {
		s.Fatalf("Harness.Post is set, and the server is no peer.Mailbox")
	}
	return box.Messages()
}

// posting sends a message.
func (s *stage) posting(what string, c *client.Client, u locator.URL, b scheme.Body) (receipt *scheme.Receipt, err error) {
	s.Helper()
	err = s.try(what, func() error {
		res, err := c.Update(s.ctx, scheme.Request{URL: u}, b, nil)
		if err == nil {
			receipt = res.Receipt
			return res.Close()
		}
		if e, ok := errors.AsType[*scheme.Error](err); ok && e.Partial != nil {
			receipt = e.Partial.Receipt
		}
		return err
	})
	return receipt, err
}

// sent checks that the server has taken n messages.
func (s *stage) sent(what string, n int) []string {
	s.Helper()
	got := s.messages()
	if len(got) != n {
		s.Errorf("%s: the server has taken %d messages, want %d", what, len(got), n)
	}
	return got
}

// checkPost sends a message, and then the same one again as it was sent.
//
// Covers: A8, A9, A15
func checkPost(s *stage) {
	c, u := s.poster()
	s.notBegun("post", func(ctx context.Context, c *client.Client) error {
		_, err := c.Update(ctx, scheme.Request{URL: u}, scheme.Body{Reader: strings.NewReader("From: " + author + "\n" + letter)}, nil)
		return err
	})
	committed := 0
	size := scheme.Known(int64(len(letter)))
	receipt, err := s.posting("post", c, u, scheme.Body{Reader: strings.NewReader(letter), Size: size, Commit: func() error { committed++; return nil }})
	if err != nil {
		s.Fatalf("post: %v", err)
	}
	got := s.sent("post", 1)
	if committed != 1 {
		s.Errorf("Body.Commit ran %d times", committed)
	}
	if receipt == nil || receipt.ID == "" || receipt.Reply == "" || len(got) < 1 || !strings.Contains(got[0], "\r\nMessage-ID: <"+receipt.ID+">\r\n") {
		s.Fatalf("the Receipt %+v does not belong to the message %.300q", receipt, got)
	}
	_, body, _ := strings.Cut(letter, "\n\n")
	header, text, _ := strings.Cut(got[0], "\r\n\r\n")
	if want := strings.ReplaceAll(body, "\n", "\r\n"); text != want {
		s.Errorf("the text arrived as %q, want %q", text, want)
	}
	for _, line := range []string{"Subject: A message of the suite", "From: " + author} {
		if !strings.Contains("\r\n"+header+"\r\n", "\r\n"+line+"\r\n") {
			s.Errorf("the header %q has no %q", header, line)
		}
	}
	again := strings.Replace(got[0], receipt.ID, "another."+receipt.ID, 1)
	if receipt, err = s.posting("post of a complete message", c, u, scheme.Body{Reader: strings.NewReader(again)}); err != nil {
		s.Fatalf("post of a complete message: %v", err)
	}
	if all := s.sent("post of a complete message", 2); len(all) == 2 && all[1] != again {
		s.Errorf("a complete message was changed from %q to %q (%+v)", again, all[1], receipt)
	}
}

// checkPostInDoubt sends a message to a server that takes it and does not answer.
//
// Covers: A8, A9
func checkPostInDoubt(s *stage) {
	s.server.Misbehave(Unanswered)
	c, u := s.poster()
	receipt, err := s.posting("post without an answer", c, u, scheme.Body{Reader: strings.NewReader(letter)})
	s.code("post without an answer", err, scheme.CodeInDoubt)
	got := s.sent("post without an answer", 1)
	if receipt == nil || receipt.ID == "" || len(got) == 1 && !strings.Contains(got[0], "Message-ID: <"+receipt.ID+">\r\n") {
		s.Errorf("the error has the Receipt %+v, and the server has taken %.300q", receipt, got)
	}
	if err != nil && receipt != nil && !strings.Contains(err.Error(), receipt.ID) {
		s.Errorf("the error does not name the message-id %s: %v", receipt.ID, err)
	}
}

// checkPostVetoed sends messages that must not arrive: their owner stops them, or they have another
// size than announced.
//
// Covers: A8, A9
func checkPostVetoed(s *stage) {
	c, u := s.poster()
	veto := errors.New("stopped by its owner")
	_, err := s.posting("post that is stopped", c, u, scheme.Body{Reader: strings.NewReader(letter), Commit: func() error { return veto }})
	s.code("post that is stopped", err, scheme.CodeLocal)
	if !errors.Is(err, veto) {
		s.Errorf("the error of Commit is lost: %v", err)
	}
	for _, wrong := range []int64{1, 7, int64(len(letter)) - 1, int64(len(letter)) + 1} {
		_, err = s.posting("post of another size", c, u, scheme.Body{Reader: strings.NewReader(letter), Size: scheme.Known(wrong)})
		s.code("post of another size", err, scheme.CodeLocal)
	}
	_, err = s.posting("post that cannot be read", c, u, scheme.Body{Reader: &failing{veto}})
	s.code("post that cannot be read", err, scheme.CodeLocal)
	s.sent("after posts that were stopped", 0)
	if _, err := s.posting("post after that", c, u, scheme.Body{Reader: strings.NewReader(letter)}); err != nil {
		s.Errorf("post after that: %v", err)
	}
	s.sent("post after that", 1)
}

// checkPostRefused sends messages that would begin another field or message.
//
// Covers: P1, P2, A8, A9
func checkPostRefused(s *stage) {
	c, u := s.poster()
	for what, text := range map[string]string{
		"a NUL in the text": "Subject: x\n\na\x00b\n", "a CR in the text": "Subject: x\n\na\rb\n", "a CR before a dot": "Subject: x\n\na\r.\r\nQUIT\r\n",
		"a CR in a field": "Subject: x\rBcc: mallory@example.com\n\ntext\n", "two authors": "Subject: x\nFrom: a@example.org\nFrom: b@example.org\n\ntext\n",
		"no author's address": "Subject: x\nFrom: nobody\n\ntext\n", "a long field": "Subject: " + strings.Repeat("x", 1<<20) + "\n\ntext\n",
	} {
		_, err := s.posting(what, c, u, scheme.Body{Reader: strings.NewReader(text)})
		s.code(what, err, scheme.CodeUsage, scheme.CodeRefused, scheme.CodeLocal)
	}
	hostile, _ := s.poster(func(o *client.Options) { o.Mail = author + "\r\nBcc: mallory@example.com" })
	_, err := s.posting("a line end in the configured address", hostile, u, scheme.Body{Reader: strings.NewReader(letter)})
	s.code("a line end in the configured address", err, scheme.CodeLocal)
	nobody, _ := s.poster(func(o *client.Options) { o.Mail = "" })
	_, err = s.posting("no author", nobody, u, scheme.Body{Reader: strings.NewReader(letter)})
	s.code("no author", err, scheme.CodeLocal)
	for _, text := range s.h.Hostile {
		h, err := c.Parse(strings.ReplaceAll(text, "HOST", s.host()))
		if err != nil || !strings.ContainsAny(locator.Decode(h.Text()), delimiters) {
			continue
		}
		if _, err = s.posting("post to "+h.Redacted(), c, h, scheme.Body{Reader: strings.NewReader(letter)}); err == nil {
			s.Errorf("post to %s succeeds", h.Redacted())
		}
	}
	s.sent("messages that are refused", 0)
}
