package mailto

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/internal/addrspec"
	"locator/scheme"
	"locator/scheme/internal/dialogue"
	"locator/wire"
)

// FuzzDraft checks the draft of any URL: nothing in it begins a field, each recipient is an
// address, and its link is the same draft.
//
// Covers: S10, A8, P2, P6, T126, T127
func FuzzDraft(f *testing.F) {
	for _, s := range []string{"a@b", "a@b,c@d?subject=x&body=a%0D%0Ab", "?to=x%3Aa@b%3B&cc=%22a%20b%22@c", "a@b?in-reply-to=%3Ca@b%3E&keywords=x,y", "a@b?subject==?utf-8?q?=0D=0ABcc:_x?=", "a@b?bcc=c@d&attach=x", "a%25b@c?body=%E9"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, p := range []*locator.Parser{locator.RFC1738, locator.Current} {
			u, err := p.Parse("mailto:" + s)
			if err != nil {
				continue
			}
			d, err := newDraft(u)
			if err != nil {
				if e, ok := err.(*scheme.Error); !ok || e.Code != scheme.CodeRefused && e.Code != scheme.CodeMalformed {
					t.Fatalf("%q: %v", s, err)
				}
				continue
			}
			texts := append(append([]string{}, d.To...), d.Bcc...)
			for _, text := range texts {
				if _, err := addrspec.Parse(text); err != nil {
					t.Fatalf("%q: recipient %q: %v", s, text, err)
				}
			}
			for _, h := range d.Header {
				texts = append(texts, h.Name, h.Value)
				if _, ok := fields[strings.ToLower(h.Name)]; !ok || strings.EqualFold(h.Name, "bcc") {
					t.Fatalf("%q: field %q", s, h.Name)
				}
			}
			for _, text := range append(texts, d.Notes...) {
				if strings.ContainsAny(text, "\r\n\x00") {
					t.Fatalf("%q: %q", s, text)
				}
			}
			link, err := Scheme{}.Link(d)
			if err != nil {
				t.Fatalf("%q: %+v: %v", s, d, err)
			}
			again, err := newDraft(link)
			if err != nil || strings.Join(again.To, ",") != strings.Join(d.To, ",") || again.Body != d.Body || len(again.Header) != len(d.Header) {
				t.Fatalf("%q: %+v is %s, and that %+v, %v", s, d, link.Text(), again, err)
			}
		}
	})
}

// FuzzReplies reads the replies of a server through package smtp: any bytes end in a reply or an
// error, and no line is sent for another.
//
// Covers: A8, P6, T131
func FuzzReplies(f *testing.F) {
	f.Add("220 a\r\n250-b\r\n250 SIZE 10\r\n250 c\r\n250 d\r\n354 e\r\n250 f\r\n")
	f.Add("220-a\r\n220 b\r\n250-AUTH PLAIN\r\n250 SIZE\r\n550 5.1.1 x\r\n")
	f.Add("220 a\r\n250-x\r\n350 y\r\n")
	f.Add("220\r\n250\r\n250\r\n250\r\n354\r\n250\r\n")
	f.Fuzz(func(t *testing.T, replies string) {
		near, far := net.Pipe()
		defer near.Close()
		go io.Copy(io.Discard, far)
		go func() {
			io.WriteString(far, replies)
			far.Close()
		}()
		c := &conn{Conn: &dialogue.Conn{Protocol: protocol, Raw: near, Max: 1 << 10, Wire: wire.NewConn(near, wire.Options{MaxLine: 256, ReplyTime: time.Minute})}}
		c.expectReply()
		s := &session{conn: c, unbind: func() bool { return true }}
		if err := s.hello(); err != nil {
			if _, ok := err.(*scheme.Error); !ok {
				t.Fatalf("%q: %T %v", replies, err, err)
			}
			return
		}
		e := &envelope{from: addrspec.Address{Local: "a", Domain: "b"}, to: []addrspec.Address{{Local: "c", Domain: "d"}}, msg: strings.NewReader("x\r\n"), pass: func() error { return nil }}
		receipt, err := e.transmit(t.Context(), &scheme.Env{}, s, func(string) {})
		if err == nil && (receipt == nil || len(receipt.Accepted) != 1) {
			t.Fatalf("%q: %+v", replies, receipt)
		}
		if failed, ok := err.(*scheme.Error); err != nil && (!ok || strings.ContainsFunc(failed.Reply, func(r rune) bool { return r < ' ' || r > '~' })) {
			t.Fatalf("%q: %T %v", replies, err, err)
		}
	})
}
