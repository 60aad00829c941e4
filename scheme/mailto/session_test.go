package mailto_test

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"locator"
	"locator/client"
	"locator/internal/clock"
	"locator/scheme"
	"locator/scheme/mailto"
	"locator/scheme/mailto/smtptest"
	"locator/scheme/message"
	"locator/schemetest/peer"
)

const letter = "From: Ann <ann@from.example>\nSubject: x\n\nHello.\n.dot\n"

// outcome is what a trial led to.
type outcome struct {
	res      *scheme.Resource
	err      error
	trace    string
	warnings string
}

// start starts a server.
func start(t *testing.T, opts ...smtptest.Option) *smtptest.Server {
	t.Helper()
	s, err := smtptest.Start(opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// send sends text to a URL through a server.
func send(t *testing.T, s *smtptest.Server, url, text string, o scheme.WriteOptions, change ...func(*client.Options)) outcome {
	t.Helper()
	return sendBody(t, s, url, scheme.Body{Reader: strings.NewReader(text)}, o, change...)
}

func sendBody(t *testing.T, s *smtptest.Server, url string, b scheme.Body, o scheme.WriteOptions, change ...func(*client.Options)) outcome {
	t.Helper()
	var got outcome
	var mu sync.Mutex
	add := func(to *string, mark string) func(string) {
		return func(line string) {
			mu.Lock()
			defer mu.Unlock()
			if len(*to) < 64<<10 {
				*to += mark + line + "\n"
			}
		}
	}
	opt := client.Options{
		Registry: scheme.NewRegistry(mailto.New()), Limits: scheme.Limits{Idle: 2 * time.Second},
		Servers: map[string][]locator.URL{"mailto": {s.ServerURL()}},
		Trace:   &scheme.Trace{Sent: add(&got.trace, "> "), Received: add(&got.trace, "< "), Note: add(&got.trace, "* "), Warning: add(&got.warnings, "")},
	}
	for _, f := range change {
		f(&opt)
	}
	c := client.New(opt)
	defer c.Close()
	u, err := locator.Current.Parse(url)
	if err != nil {
		t.Fatal(err)
	}
	got.res, got.err = c.Update(t.Context(), scheme.Request{URL: u}, b, &o)
	return got
}

func trusting(cert *peer.Certificate) func(*client.Options) {
	return func(o *client.Options) { o.TLS = &tls.Config{RootCAs: cert.Roots()} }
}

func mode(m scheme.TLSMode) func(*client.Options) {
	return func(o *client.Options) { o.TLSMode = m }
}

func login(user, password string) func(*client.Options) {
	return func(o *client.Options) { o.Logins = []scheme.LoginFunc{client.FixedLogin(user, password)} }
}

func at(u locator.URL) func(*client.Options) {
	return func(o *client.Options) { o.Servers = map[string][]locator.URL{"mailto": {u}} }
}

func wantCode(t *testing.T, err error, want scheme.Code) {
	t.Helper()
	if got := client.CodeOf(err); got != want {
		t.Errorf("code %v, want %v: %v", got, want, err)
	}
}

// A reply of each class at each step, and a connection that is reset there, have the code that the
// user can act on. Nothing is in doubt before the last byte.
//
// Covers: A8, P6, T132, T133
func TestReplies(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		verb, reply string
		want        scheme.Code
	}{
		{"", "554 5.7.1 go away\r\n", scheme.CodeLoginNeeded}, {"", "554 no\r\n", scheme.CodeUnsupported}, {"", "421 4.3.2 busy\r\n", scheme.CodeUnavailable}, {"", "200 news\r\n", scheme.CodeProtocol},
		{"", "HTTP/1.1 400 Bad Request\r\n\r\n", scheme.CodeProtocol}, {"", "220", scheme.CodeBroken},
		{"EHLO", "550 5.5.1 no\r\n", scheme.CodeUnsupported}, {"EHLO", "250-a\r\n250-b\r\n", scheme.CodeBroken}, {"EHLO", "250-a\r\n350 b\r\n", scheme.CodeBroken},
		{"MAIL", "550 5.1.8 bad sender\r\n", scheme.CodeLoginNeeded}, {"MAIL", "451 4.3.0 later\r\n", scheme.CodeUnavailable}, {"MAIL", "552 5.3.4 too big\r\n", scheme.CodeUnsupported},
		{"MAIL", "530 5.7.0 log in\r\n", scheme.CodeLoginNeeded}, {"MAIL", "354 what\r\n", scheme.CodeProtocol}, {"MAIL", "501 5.5.4 \xe9\xff\x1b[31m\r\n", scheme.CodeUnsupported},
		{"RCPT", "550 5.1.1 nobody\r\n", scheme.CodeNotFound}, {"RCPT", "550 5.7.1 relaying denied\r\n", scheme.CodeLoginNeeded},
		{"RCPT", "550 relay not permitted\r\n", scheme.CodeLoginNeeded}, {"RCPT", "550 no such user\r\n", scheme.CodeNotFound}, {"RCPT", "550 no such user at relay.example\r\n", scheme.CodeNotFound}, {"RCPT", "450 4.2.0 grey\r\n", scheme.CodeUnavailable},
		{"RCPT", "552 5.2.2 full\r\n", scheme.CodeUnavailable}, {"RCPT", "556 5.1.10 null\r\n", scheme.CodeNotFound}, {"RCPT", "421 4.4.2 bye\r\n", scheme.CodeUnavailable},
		{"DATA", "554 5.5.1 no\r\n", scheme.CodeUnsupported}, {"DATA", "451 4.3.0 later\r\n", scheme.CodeUnavailable}, {"DATA", "250 what\r\n", scheme.CodeProtocol},
		{"DATA", "354 go\r\n250 ok\r\n", scheme.CodeProtocol}, {"DATA", "354 go\r\n552 5.3.4 too big\r\n", scheme.CodeUnsupported},
		{".", "554 5.7.1 spam\r\n", scheme.CodeUnsupported}, {".", "452 4.3.1 full\r\n", scheme.CodeUnavailable}, {".", "552 5.3.4 too big\r\n", scheme.CodeUnsupported},
		{".", "251 fine\r\n", scheme.CodeOK}, {".", "250\r\n", scheme.CodeOK}, {".", "354 more\r\n", scheme.CodeInDoubt}, {".", "nonsense\r\n", scheme.CodeInDoubt}, {".", "25", scheme.CodeInDoubt},
		{"EHLO", "reset", scheme.CodeBroken}, {"MAIL", "reset", scheme.CodeBroken}, {"RCPT", "reset", scheme.CodeBroken}, {"DATA", "reset", scheme.CodeBroken},
		{".", "reset", scheme.CodeInDoubt},
	} {
		t.Run(tt.verb+" "+tt.reply, func(t *testing.T) {
			t.Parallel()
			o := []smtptest.Option{smtptest.Reply(tt.verb, tt.reply)}
			if !strings.HasSuffix(tt.reply, "\n") || strings.HasPrefix(tt.reply, "250-") {
				o = append(o, smtptest.Hangup(tt.verb))
			}
			if tt.reply == "reset" {
				o = []smtptest.Option{smtptest.Reset(tt.verb)}
			}
			got := send(t, start(t, o...), "mailto:bob@to.example", letter, scheme.WriteOptions{})
			wantCode(t, got.err, tt.want)
			if e, ok := errors.AsType[*scheme.Error](got.err); ok && tt.want != scheme.CodeInDoubt && e.Final != strings.HasPrefix(e.Reply, "5") {
				t.Errorf("final: %v, after %q", e.Final, e.Reply)
			}
			if got.err != nil && strings.ContainsFunc(got.err.Error()+got.trace, func(r rune) bool { return r < ' ' && r != '\n' || r == utf8.RuneError }) {
				t.Errorf("not escaped: %q", got.err)
			}
		})
	}
}

// The mail arrives byte for byte, with its envelope. The recipients are those of To, Cc and Bcc,
// each once; Bcc is not sent.
//
// Covers: A8, S10
func TestEnvelope(t *testing.T) {
	t.Parallel()
	s := start(t)
	text := "From: Ann <ann@from.example>\r\nTo: Bob <bob@to.example>, \"not@me\"@to.example, bob@to.example\r\nCc: eve@[192.0.2.1]\r\nBcc: spy@bücher.example\r\nDate: Thu, 01 Dec 1994 12:00:00 +0000\r\n" +
		"Message-ID: <1@from.example>\r\nSubject: x\r\n\r\nHello.\r\n.dot\r\n..\r\n.\r\n"
	got := send(t, s, "mailto:bob@to.example", text, scheme.WriteOptions{Reports: message.Reports{Notify: []string{"success", "delay"}, Return: "hdrs"}})
	if got.err != nil {
		t.Fatal(got.err)
	}
	m := s.Mails()[0]
	if want := strings.Replace(text, "Bcc: spy@bücher.example\r\n", "", 1); m.Data != want {
		t.Errorf("the mail is %q, want %q", m.Data, want)
	}
	if to := []string{"bob@to.example", `"not@me"@to.example`, "eve@[192.0.2.1]", "spy@xn--bcher-kva.example"}; !slices.Equal(m.To, to) || m.From != "ann@from.example" {
		t.Errorf("from %q to %q, want %q", m.From, m.To, to)
	}
	if p := strings.Join(m.Params, " "); !strings.Contains(p, "BODY=8BITMIME SIZE=") || !strings.Contains(p, "RET=HDRS NOTIFY=SUCCESS,DELAY") {
		t.Errorf("parameters %q", p)
	}
	if r := got.res.Receipt; r.ID != "1@from.example" || len(r.Accepted) != 4 || !strings.HasPrefix(r.Reply, "250 ") || got.res.Status != "250" {
		t.Errorf("receipt %+v, status %q", r, got.res.Status)
	}
	got = send(t, s, "mailto:bob@to.example", text, scheme.WriteOptions{Recipients: []string{"spy@bücher.example"}})
	if m := s.Mails()[1]; got.err != nil || !slices.Equal(m.To, []string{"spy@xn--bcher-kva.example"}) {
		t.Errorf("to %q, %v", m.To, got.err)
	}
	got = send(t, s, "mailto:bob@to.example", text, scheme.WriteOptions{Recipients: []string{"bob@to.example", `"bob"@TO.example`, "spy@bücher.example", "spy@xn--bcher-kva.example"}})
	if m := s.Mails()[2]; got.err != nil || !slices.Equal(m.To, []string{"bob@to.example", "spy@xn--bcher-kva.example"}) {
		t.Errorf("to %q, %v", m.To, got.err)
	}
}

// Recipients that are refused are named one by one; the others get the mail.
//
// Covers: A8
func TestRefusedRecipients(t *testing.T) {
	t.Parallel()
	s := start(t, smtptest.Known("bob@to.example"), smtptest.Refuse("full@to.example", "452 4.2.2 full"))
	got := send(t, s, "mailto:bob@to.example,gone@to.example,full@to.example", letter, scheme.WriteOptions{})
	if got.err != nil {
		t.Fatal(got.err)
	}
	r := got.res.Receipt
	if !slices.Equal(r.Accepted, []string{"bob@to.example"}) || len(r.Refused) != 2 || r.Refused[0].Code != scheme.CodeNotFound || r.Refused[1].Code != scheme.CodeUnavailable ||
		r.Refused[1].Reply != "452 4.2.2 full" {
		t.Errorf("receipt %+v", r)
	}
	got = send(t, s, "mailto:gone@to.example,full@to.example", letter, scheme.WriteOptions{})
	wantCode(t, got.err, scheme.CodeNotFound)
	e, _ := errors.AsType[*scheme.Error](got.err)
	if e == nil || e.Partial.Receipt == nil || len(e.Partial.Receipt.Refused) != 2 || len(e.Partial.Receipt.Accepted) != 0 {
		t.Errorf("error %+v", e)
	}
	if n := len(s.Mails()); n != 1 {
		t.Errorf("%d mails were sent", n)
	}
}

// Logins: which are sent, over what, and to whom.
//
// Covers: A8, P3, T129, T130, T131
func TestLogins(t *testing.T) {
	t.Parallel()
	cert, err := peer.Certify()
	if err != nil {
		t.Fatal(err)
	}
	starttls := smtptest.TLS(cert.Config())
	right := login(smtptest.Alice, smtptest.Password)
	for name, tt := range map[string]struct {
		server []smtptest.Option
		client []func(*client.Options)
		want   scheme.Code
		tls    bool
		user   string
		warns  bool
		final  bool // checked with want only
	}{
		"none needed":                       {want: scheme.CodeOK},
		"none known":                        {server: []smtptest.Option{smtptest.Login("PLAIN")}, client: []func(*client.Options){mode(scheme.TLSOff)}, want: scheme.CodeLoginNeeded},
		"plain over starttls":               {server: []smtptest.Option{starttls, smtptest.Login("PLAIN"), smtptest.AuthOverTLS()}, client: []func(*client.Options){right}, tls: true, user: smtptest.Alice},
		"login over starttls":               {server: []smtptest.Option{starttls, smtptest.Login("LOGIN")}, client: []func(*client.Options){right}, tls: true, user: smtptest.Alice},
		"implicit":                          {server: []smtptest.Option{smtptest.ImplicitTLS(cert.Config()), smtptest.Login("PLAIN")}, client: []func(*client.Options){right, mode(scheme.TLSOff)}, tls: true, user: smtptest.Alice},
		"no tls offered":                    {server: []smtptest.Option{smtptest.Login("PLAIN")}, client: []func(*client.Options){right}, want: scheme.CodeLoginNeeded},
		"no tls offered, try":               {server: []smtptest.Option{smtptest.Login("PLAIN")}, client: []func(*client.Options){right, mode(scheme.TLSTry)}, user: smtptest.Alice, warns: true},
		"no tls offered, off":               {server: []smtptest.Option{smtptest.Login("PLAIN")}, client: []func(*client.Options){right, mode(scheme.TLSOff)}, user: smtptest.Alice},
		"no tls offered, require":           {client: []func(*client.Options){mode(scheme.TLSRequire)}, want: scheme.CodeUnsupported},
		"tls required by the user":          {server: []smtptest.Option{starttls}, client: []func(*client.Options){mode(scheme.TLSRequire)}, tls: true},
		"tls required by the server":        {server: []smtptest.Option{starttls, smtptest.NeedTLS()}, tls: true},
		"a login that is not needed":        {server: []smtptest.Option{starttls, smtptest.Auth("PLAIN")}, client: []func(*client.Options){right}, tls: true, user: smtptest.Alice},
		"none offered, but known":           {client: []func(*client.Options){right}},
		"offered without tls, known":        {server: []smtptest.Option{smtptest.Auth("PLAIN")}, client: []func(*client.Options){right}},
		"wrong":                             {server: []smtptest.Option{starttls, smtptest.Login("PLAIN")}, client: []func(*client.Options){login(smtptest.Alice, "wr0ng-s3cret")}, want: scheme.CodeLoginNeeded},
		"wrong by login":                    {server: []smtptest.Option{starttls, smtptest.Login("LOGIN")}, client: []func(*client.Options){login(smtptest.Alice, "wr0ng-s3cret")}, want: scheme.CodeLoginNeeded},
		"no mechanism that is known":        {server: []smtptest.Option{starttls, smtptest.Login("CRAM-MD5")}, client: []func(*client.Options){right}, want: scheme.CodeUnsupported},
		"a line end in the user":            {server: []smtptest.Option{starttls, smtptest.Login("LOGIN")}, client: []func(*client.Options){login("a\r\nb", "c")}, want: scheme.CodeRefused},
		"a reply injected before tls":       {server: []smtptest.Option{starttls, smtptest.Inject("250-PIPELINING\r\n250 AUTH PLAIN\r\n"), smtptest.Login("PLAIN")}, client: []func(*client.Options){right}, want: scheme.CodeProtocol},
		"starttls refused":                  {server: []smtptest.Option{starttls, smtptest.Reply("STARTTLS", "454 4.7.0 no\r\n"), smtptest.Login("PLAIN")}, client: []func(*client.Options){right}, want: scheme.CodeUnavailable},
		"a password that is repeated later": {server: []smtptest.Option{starttls, smtptest.Reply("MAIL", "550 5.1.1 "+smtptest.Password+" AGFsaWNlAHMzY3JldC1wdw==\r\n"), smtptest.Login("PLAIN")}, client: []func(*client.Options){right}, want: scheme.CodeLoginNeeded},
		"wrong for good":                    {server: []smtptest.Option{starttls, smtptest.Reply("AUTH", "535 5.7.8 no\r\n"), smtptest.Login("PLAIN")}, client: []func(*client.Options){right}, want: scheme.CodeLoginNeeded, final: true},
		"auth refused for now":              {server: []smtptest.Option{starttls, smtptest.Reply("AUTH", "454 4.7.0 later\r\n"), smtptest.Login("PLAIN")}, client: []func(*client.Options){right}, want: scheme.CodeUnavailable},
		"endless challenges":                {server: []smtptest.Option{starttls, smtptest.Reply("AUTH", "334 eA==\r\n334 eA==\r\n334 eA==\r\n334 eA==\r\n"), smtptest.Login("LOGIN")}, client: []func(*client.Options){right}, want: scheme.CodeProtocol},
		"a challenge that is none":          {server: []smtptest.Option{starttls, smtptest.Reply("AUTH", "334 ***\r\n"), smtptest.Login("LOGIN")}, client: []func(*client.Options){right}, want: scheme.CodeProtocol},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, tt.server...)
			got := send(t, s, "mailto:bob@to.example", letter, scheme.WriteOptions{}, append([]func(*client.Options){trusting(cert)}, tt.client...)...)
			wantCode(t, got.err, tt.want)
			if e, ok := errors.AsType[*scheme.Error](got.err); tt.final && (!ok || !e.Final) {
				t.Errorf("not final: %v", got.err)
			}
			all := got.trace + got.warnings
			if got.err != nil {
				all += got.err.Error()
			}
			for _, secret := range []string{smtptest.Password, "wr0ng-s3cret", "czNjcmV0LXB3", "d3IwbmctczNjcmV0", "AGFsaWNlA"} {
				if strings.Contains(all, secret) {
					t.Errorf("%q is in %s", secret, all)
				}
			}
			if mails := s.Mails(); tt.want == scheme.CodeOK && (len(mails) != 1 || mails[0].TLS != tt.tls || mails[0].User != tt.user) || tt.want != scheme.CodeOK && len(mails) > 0 {
				t.Errorf("mails %+v\n%s", mails, got.trace)
			}
			if tt.warns != (got.warnings != "") {
				t.Errorf("warnings %q", got.warnings)
			}
		})
	}
	t.Run("of the URL", func(t *testing.T) {
		s := start(t, starttls, smtptest.Login("PLAIN"))
		if got := send(t, s, "mailto:bob@to.example", letter, scheme.WriteOptions{}, trusting(cert), at(s.LoginURL(smtptest.Alice, smtptest.Password))); got.err != nil {
			t.Error(got.err)
		}
		got := send(t, s, "mailto:bob@to.example", letter, scheme.WriteOptions{}, at(s.LoginURL(smtptest.Alice, smtptest.Password)))
		wantCode(t, got.err, scheme.CodeUntrusted) // the certificate is not trusted
	})
}

// A URL with the other kind of TLS is an error that names the right one.
//
// Covers: A8
func TestOtherTLS(t *testing.T) {
	t.Parallel()
	cert, err := peer.Certify()
	if err != nil {
		t.Fatal(err)
	}
	for want, o := range map[string]smtptest.Option{"write smtp:// in": smtptest.TLS(cert.Config()), "write smtps:// in": smtptest.ImplicitTLS(cert.Config())} {
		s := start(t, o)
		u := s.ServerURL().Text()
		if strings.HasPrefix(u, "smtps:") {
			u = strings.Replace(u, "smtps:", "smtp:", 1)
		} else {
			u = strings.Replace(u, "smtp:", "smtps:", 1)
		}
		got := send(t, s, "mailto:bob@to.example", letter, scheme.WriteOptions{}, at(locator.MustParse(u)), func(o *client.Options) { o.Limits.Idle = 200 * time.Millisecond })
		if got.err == nil || !strings.Contains(got.err.Error(), want) {
			t.Errorf("%s: %v", u, got.err)
		}
	}
}

// What a server cannot carry is refused before anything is sent.
//
// Covers: A8
func TestExtensions(t *testing.T) {
	t.Parallel()
	eightBit := "From: a@b.example\nTo: bob@to.example\nDate: Thu, 01 Dec 1994 12:00:00 +0000\nMessage-ID: <1@b.example>\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\né\n"
	for name, tt := range map[string]struct {
		server []smtptest.Option
		url    string
		text   string
		want   scheme.Code
		sent   string
	}{
		"too large":           {[]smtptest.Option{smtptest.Size(100)}, "mailto:bob@to.example", letter, scheme.CodeUnsupported, ""},
		"8 bit":               {nil, "mailto:bob@to.example", eightBit, scheme.CodeOK, "BODY=8BITMIME"},
		"no 8 bit":            {[]smtptest.Option{smtptest.Without("8BITMIME")}, "mailto:bob@to.example", eightBit, scheme.CodeUnsupported, ""},
		"utf8 recipient":      {nil, "mailto:b%C3%B6b@to.example", letter, scheme.CodeOK, "SMTPUTF8"},
		"no utf8":             {[]smtptest.Option{smtptest.Without("SMTPUTF8")}, "mailto:b%C3%B6b@to.example", letter, scheme.CodeUnsupported, ""},
		"idn without utf8":    {[]smtptest.Option{smtptest.Without("SMTPUTF8")}, "mailto:bob@b%C3%BCcher.example", letter, scheme.CodeOK, "RCPT TO:<bob@xn--bcher-kva.example>"},
		"not a domain":        {nil, "mailto:bob@b_c", letter, scheme.CodeMalformed, ""},
		"helo only":           {[]smtptest.Option{smtptest.Reply("EHLO", "502 5.5.1 no\r\n")}, "mailto:bob@to.example", letter, scheme.CodeOK, "HELO ["},
		"keywords small":      {[]smtptest.Option{smtptest.Reply("EHLO", "250-x\r\n250-size 10\r\n250 8bitmime\r\n")}, "mailto:bob@to.example", letter, scheme.CodeUnsupported, ""},
		"no dsn":              {[]smtptest.Option{smtptest.Without("DSN")}, "mailto:bob@to.example", letter, scheme.CodeOK, "offers no reports"},
		"bare lines of reply": {[]smtptest.Option{smtptest.Reply("MAIL", "250\r\n")}, "mailto:bob@to.example", letter, scheme.CodeProtocol, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, tt.server...)
			o := scheme.WriteOptions{}
			if name == "no dsn" {
				o.Reports.Return = "full"
			}
			got := send(t, s, tt.url, tt.text, o)
			if name == "bare lines of reply" { // the server forgot the sender, but the reply is read
				wantCode(t, got.err, scheme.CodeProtocol)
				return
			}
			wantCode(t, got.err, tt.want)
			if !strings.Contains(got.trace, tt.sent) {
				t.Errorf("the trace has no %q:\n%s", tt.sent, got.trace)
			}
			if tt.want != scheme.CodeOK && strings.Contains(got.trace, "MAIL FROM") {
				t.Errorf("the server was asked:\n%s", got.trace)
			}
		})
	}
}

// A cancelled context ends a submission, also between the last byte and the reply.
//
// Covers: A8
func TestCancelled(t *testing.T) {
	t.Parallel()
	s := start(t)
	ctx, cancel := context.WithCancel(t.Context())
	c := client.New(client.Options{Registry: scheme.NewRegistry(mailto.New()), Servers: map[string][]locator.URL{"mailto": {s.ServerURL()}}})
	defer c.Close()
	u, _ := locator.Current.Parse("mailto:bob@to.example")
	_, err := c.Update(ctx, scheme.Request{URL: u}, scheme.Body{Reader: strings.NewReader(letter), Commit: func() error { cancel(); return nil }}, nil)
	if !errors.Is(err, context.Canceled) || client.CodeOf(err) != scheme.CodeInterrupted || len(s.Mails()) > 0 { // not in doubt: the last line was not sent
		t.Errorf("%d mails, code %v, %v", len(s.Mails()), client.CodeOf(err), err)
	}
}

// A command gets the message and its recipients. Its exit status says what happened.
//
// Covers: A8
func TestSendmail(t *testing.T) {
	t.Parallel()
	var sender string
	var to []string
	var text strings.Builder
	env := &scheme.Env{Clock: clock.System{}, Settings: []any{mailto.Settings{Sendmail: func(_ context.Context, from string, list []string, m io.WriterTo, pass func() error) error {
		sender, to = from, list
		_, err := m.WriteTo(&text)
		return errors.Join(err, pass())
	}}}}
	u, _ := locator.Current.Parse("mailto:bob@to.example,eve@b%C3%BCcher.example")
	passed := 0
	res, err := mailto.New().Update(t.Context(), env, scheme.Request{URL: u}, scheme.Body{Reader: strings.NewReader("Bcc: spy@to.example, bob@to.example, eve@bücher.example\n" + letter), Commit: func() error { passed++; return nil }}, scheme.WriteOptions{})
	if err != nil || passed != 1 || sender != "ann@from.example" || len(res.Receipt.Accepted) != 3 || !slices.Equal(to, []string{"spy@to.example", "bob@to.example", "eve@xn--bcher-kva.example"}) || strings.Contains(text.String(), "spy") {
		t.Errorf("from %q to %q, %d, %v\n%s", sender, to, passed, err, text.String())
	}
}
