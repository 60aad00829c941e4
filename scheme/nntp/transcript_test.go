package nntp_test

import (
	"context"
	"crypto/tls"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"locator/client"
	"locator/scheme"
	"locator/scheme/nntp/nntptest"
	"locator/schemetest/peer"
)

var update = flag.Bool("update", false, "update testdata/transcripts")

// transcripts is the table of the commands that the client sends for reading, and of what makes it
// send them.
var transcripts = []struct {
	name    string // of the file
	verb    string // the command; "" is the greeting
	options []nntptest.Option
	client  []func(*client.Options)
	do      func(*client.Client, *nntptest.Server) (string, error)
	ok      string // a further reply
}{
	{"GREETING", "", nil, nil, getFirst, "201 No posting"},
	{"CAPABILITIES", "CAPABILITIES", nil, nil, getFirst, "101 List\r\nVERSION 2\r\nREADER\r\n."},
	{"MODE READER", "MODE", []nntptest.Option{nntptest.ModeReader()}, nil, getFirst, "201 No posting"},
	{"STARTTLS", "STARTTLS", nil, []func(*client.Options){tlsRequired}, getFirst, ""},
	{"AUTHINFO USER", "AUTHINFO USER", []nntptest.Option{nntptest.Login()}, []func(*client.Options){clearLogin}, getFirst, "281 No password needed"},
	{"AUTHINFO PASS", "AUTHINFO PASS", []nntptest.Option{nntptest.Login()}, []func(*client.Options){clearLogin}, getFirst, ""},
	{"AUTHINFO SASL PLAIN", "AUTHINFO SASL", []nntptest.Option{nntptest.Login(), nntptest.SASL()}, []func(*client.Options){clearLogin}, getFirst, ""},
	{"GROUP", "GROUP", nil, nil, getFirst, "211 1 1 1 g.test"},
	{"ARTICLE", "ARTICLE", nil, nil, getFirst, "220 1 <a@b>\r\nSubject: s\r\n\r\n."},
	{"HEAD", "HEAD", nil, nil, attrFirst, "221 1 <a@b>\r\nSubject: s\r\n."},
	{"STAT", "STAT", nil, nil, checkFirst, "223 1 <a@b>"},
	{"OVER", "OVER", nil, nil, listAll, ""},
	{"XOVER", "XOVER", []nntptest.Option{nntptest.Old()}, nil, listAll, ""},
	{"HEAD for each article", "HEAD", []nntptest.Option{nntptest.Old(), nntptest.Without("XOVER")}, nil, listAll, ""},
	{"LIST", "LIST ACTIVE", nil, nil, listGroups, ""},
	{"LIST of RFC 977", "LIST", []nntptest.Option{nntptest.Old()}, nil, listGroups, ""},
	{"LIST NEWSGROUPS", "LIST NEWSGROUPS", nil, nil, attrGroup, "215 List\r\ng.test\tA group\r\n."},
}

func checkFirst(c *client.Client, s *nntptest.Server) (string, error) {
	_, err := c.Check(context.Background(), scheme.Request{URL: s.GroupURL("g.test", 1)}, nil)
	return "", err
}

func tlsRequired(o *client.Options) { o.TLSMode = scheme.TLSRequire }

func clearLogin(o *client.Options) {
	o.TLSMode, o.Logins = scheme.TLSOff, []scheme.LoginFunc{client.FixedLogin(nntptest.Alice, nntptest.Password)}
}

// replies are replies of each class: those of RFC 3977 3.2 and its extensions, and others.
var replies = []string{
	"111 20261122120000", "199 Odd", "200 Posting allowed", "299 Odd", "340 Send it", "383 =", "400 Too busy", "401 MODE-READER", "403 Fault", "411 No such group",
	"412 No group selected", "420 No article", "423 No such number", "430 No such article", "480 Log in", "481 Wrong", "482 Out of sequence", "483 TLS first",
	"499 Odd", "500 What?", "501 Syntax", "502 Not permitted", "503 Not kept", "580 No TLS", "999 Odd", "20", "",
}

// TestTranscripts gives each command each reply, and compares the dialogue and the result with
// testdata/transcripts. "> " is sent and "< " is received; the last line is the result.
//
// Covers: A9, P3, P5, P6
func TestTranscripts(t *testing.T) {
	t.Parallel()
	cert, err := peer.Certify()
	if err != nil {
		t.Fatal(err)
	}
	trusts := func(o *client.Options) { o.TLS = &tls.Config{RootCAs: cert.Roots()} }
	for _, c := range transcripts {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			list := slices.Clone(replies)
			if c.ok != "" {
				list = append(list, c.ok)
			}
			var b strings.Builder
			for _, r := range list {
				s := start(t, append(append(numbered(2), nntptest.TLS(cert.Config()), nntptest.Reply(c.verb, r+"\r\n")), c.options...)...)
				fmt.Fprintf(&b, "## %s\n%s\n", strings.ReplaceAll(r, "\r\n", `\r\n`), transcript(t, s, c.verb, c.do, append([]func(*client.Options){trusts}, c.client...)))
			}
			compareTranscript(t, c.name, b.String())
		})
	}
}

// transcript returns a dialogue, from the first command on that begins with verb, and its result.
func transcript(t *testing.T, s *nntptest.Server, verb string, do func(*client.Client, *nntptest.Server) (string, error), options []func(*client.Options)) string {
	var b strings.Builder
	hear := func(o *client.Options) {
		o.Trace = &scheme.Trace{Sent: func(line string) { fmt.Fprintf(&b, "> %s\n", line) }, Received: func(line string) { fmt.Fprintf(&b, "< %s\n", line) }}
	}
	_, err := do(newClient(t, append(options, hear)...), s)
	result := "ok"
	var e *scheme.Error
	if errors.As(err, &e) {
		result = e.Code.String() + ": " + strings.ReplaceAll(err.Error(), s.Addr(), "HOST")
	} else if err != nil {
		result = err.Error()
	}
	dialogue := b.String()
	if i := strings.Index(dialogue, "> "+verb); i > 0 && verb != "" {
		dialogue = dialogue[i:] // what leads to the command is the same each time
	}
	return dialogue + "= " + result + "\n"
}

// compareTranscript compares a transcript with its file.
func compareTranscript(t *testing.T, name, got string) {
	file := filepath.Join("testdata", "transcripts", strings.ToLower(strings.ReplaceAll(name, " ", "-"))+".txt")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; with -update it becomes\n%s", file, got)
	}
}
