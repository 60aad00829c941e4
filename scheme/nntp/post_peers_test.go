package nntp_test

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"strings"
	"testing"

	"locator"
	"locator/client"
	"locator/internal/peers"
	"locator/policy"
	"locator/scheme"
)

// TestPostPeers posts to INN: an article that comes back byte for byte but for the fields of the
// server, a follow-up, the same article again, and a cancel message.
//
// Covers: S11, S12, A9
func TestPostPeers(t *testing.T) {
	e := peers.Start(t, "inn")
	addr := e.Addr(t, "nnrpd")
	group := locator.MustParse("nntp://" + addr + "/" + e.Newsgroup)
	notes := ""
	c := newClient(t, func(o *client.Options) {
		o.Mail = "Ällice <alice@example.org>"
		port, _ := group.PortNumber()
		o.Note = func(_ locator.URL, text string) { notes += text }
		o.Policy = policy.New(policy.Options{AllowPorts: []uint16{port}})
	})
	const body = "\r\n.\r\n..dots\r\n.text\r\nFrom here\r\n8 bit: ä\r\nblanks  \r\n"
	id := strings.ToLower(rand.Text()) + "@example.org"
	article := "Subject: Grüße aus dem Test\nMessage-ID: <" + id + ">\n\n" + body + strings.Repeat("x", 998) + "\r\n\r\n"
	var sent strings.Builder
	res, err := post(t, c, group, article)
	if err != nil {
		t.Fatal(err)
	}
	got, err := get(t, c, res.URL)
	if err != nil || !strings.HasSuffix(got, "\r\n\r\n"+body+strings.Repeat("x", 998)+"\r\n\r\n") {
		t.Errorf("%v: %q, %v", res.URL, got, err)
	}
	header, _, _ := strings.Cut(got, "\r\n\r\n")
	for line := range strings.SplitAfterSeq(strings.ReplaceAll(header, "\r\n\t", " ")+"\r\n", "\r\n") {
		name, _, _ := strings.Cut(line, ":")
		switch name {
		case "Path", "Xref", "Injection-Date", "Injection-Info", "NNTP-Posting-Host", "X-Trace", "X-Complaints-To", "Lines":
		default:
			sent.WriteString(line)
		}
	}
	for _, line := range []string{"Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?= aus dem Test\r\n", "From: =?utf-8?q?=C3=84llice?= <alice@example.org>\r\n", "Content-Transfer-Encoding: 8bit\r\n",
		"Newsgroups: " + e.Newsgroup + "\r\n", "Message-ID: <" + id + ">\r\n", "MIME-Version: 1.0\r\n", "Content-Type: text/plain; charset=utf-8\r\n"} {
		if !strings.Contains(sent.String(), line) {
			t.Errorf("%q lacks %q", sent.String(), line)
		}
	}
	if n := strings.Count(sent.String(), "\r\n"); n != 8 { // and the date
		t.Errorf("%d lines of header in %q", n, sent.String())
	}

	_, err = post(t, c, group, article)
	wantCode(t, err, scheme.CodeUsage, id)
	if !errors.Is(err, fs.ErrExist) {
		t.Errorf("the same article again: %v", err)
	}
	_, err = post(t, c, group, strings.Replace(strings.Replace(article, id, "x."+id, 1), "Subject", "Followup-To: no.such.group\nSubject", 1))
	wantCode(t, err, scheme.CodeUsage, "no.such.group")

	answer, err := post(t, c, res.URL, "\nI agree.\n")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := get(t, c, answer.URL); err != nil || !strings.Contains(got, "\r\nReferences: <"+id+">\r\n") || !strings.Contains(got, "\r\nNewsgroups: "+e.Newsgroup+"\r\n") {
		t.Errorf("%q, %v", got, err)
	}
	// INN obeys cancel messages only of users who log in (docancels), but takes them.
	if err := c.Remove(t.Context(), scheme.Request{URL: answer.URL}); err != nil {
		t.Fatal(err)
	}
	_, note, _ := strings.Cut(notes, "<")
	note, _, _ = strings.Cut(note, ">")
	if got, err := get(t, c, locator.Current.MustParse("news://"+addr+"/"+note)); err != nil || !strings.Contains(got, "\r\nControl: cancel <"+answer.Receipt.ID+">\r\n") {
		t.Errorf("%q, %v", got, err)
	}
}
