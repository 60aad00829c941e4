package mailto_test

import (
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"locator/client"
	"locator/scheme"
	"locator/scheme/mailto/smtptest"
	"locator/schemetest/peer"
)

// pause is a reader that is at its end after a while.
type pause time.Duration

func (p pause) Read([]byte) (int, error) {
	time.Sleep(time.Duration(p))
	return 0, io.EOF
}

// A reply that comes before the end of a message, in a packet of its own, is not a success: a
// positive one is an error and the mail is not sent, one that refuses the mail is the reply. A
// server that hangs up before the end has not got the mail.
//
// Covers: A8, P6, T132
func TestEarlyReply(t *testing.T) {
	t.Parallel()
	cert, err := peer.Certify()
	if err != nil {
		t.Fatal(err)
	}
	long := letter + strings.Repeat(strings.Repeat("x", 70)+"\n", 1<<20/71) // more than the buffers of the client hold
	for reply, want := range map[string]scheme.Code{"250 2.0.0 done early\r\n": scheme.CodeProtocol, "2": scheme.CodeProtocol, "552 5.3.4 too big\r\n": scheme.CodeUnsupported, "452 4.3.1 full\r\n": scheme.CodeUnavailable} {
		for name, o := range map[string][]smtptest.Option{"plain": nil, "tls": {smtptest.ImplicitTLS(cert.Config())}} {
			t.Run(name+" "+reply, func(t *testing.T) {
				t.Parallel()
				s := start(t, append(o, smtptest.Early(reply))...)
				passed := false
				b := scheme.Body{Reader: io.MultiReader(strings.NewReader(long), pause(2*time.Second), strings.NewReader("the end\n")), Commit: func() error { passed = true; return nil }}
				got := sendBody(t, s, "mailto:bob@to.example", b, scheme.WriteOptions{}, trusting(cert), func(o *client.Options) { o.Limits.Idle = 20 * time.Second })
				wantCode(t, got.err, want)
				if passed && want == scheme.CodeProtocol {
					t.Error("the mail was passed to the server")
				}
			})
		}
	}
	got := send(t, start(t, smtptest.Reply("DATA", "354 go\r\n"), smtptest.Hangup("DATA")), "mailto:bob@to.example", letter, scheme.WriteOptions{})
	wantCode(t, got.err, scheme.CodeBroken)
}

// A refusal that a login or TLS might lift is tried again with them. If that fails before the mail,
// the refusal is the reason; if the server has asked for TLS or a login, what failed is.
//
// Covers: A8
func TestRefusalIsReason(t *testing.T) {
	t.Parallel()
	cert, err := peer.Certify()
	if err != nil {
		t.Fatal(err)
	}
	starttls := smtptest.TLS(cert.Config()) // which the client does not trust
	for name, tt := range map[string]struct {
		server []smtptest.Option
		client func(*client.Options)
		want   scheme.Code
		reply  string
		noted  string
	}{
		"recipient":           {[]smtptest.Option{starttls, smtptest.Refuse("bob@to.example", "554 5.7.1 no such user here")}, nil, scheme.CodeLoginNeeded, "554 5.7.1 no such user here", "the certificate"},
		"sender":              {[]smtptest.Option{starttls, smtptest.Reply("MAIL", "550 5.7.1 not you\r\n")}, nil, scheme.CodeLoginNeeded, "550 5.7.1 not you", "the certificate"},
		"no login is known":   {[]smtptest.Option{smtptest.Auth("PLAIN"), smtptest.Refuse("bob@to.example", "554 5.7.1 no relaying")}, mode(scheme.TLSOff), scheme.CodeLoginNeeded, "554 5.7.1 no relaying", "no login is known"},
		"refused again":       {[]smtptest.Option{starttls, smtptest.Refuse("bob@to.example", "554 5.7.1 no")}, trusting(cert), scheme.CodeLoginNeeded, "554 5.7.1 no", ""},
		"TLS is required":     {[]smtptest.Option{starttls, smtptest.NeedTLS()}, nil, scheme.CodeUntrusted, "", ""},
		"a login is required": {[]smtptest.Option{smtptest.Login("PLAIN")}, mode(scheme.TLSOff), scheme.CodeLoginNeeded, "", ""},
		"the server has gone": {[]smtptest.Option{starttls, smtptest.Reply("STARTTLS", "454 4.7.0 later\r\n"), smtptest.Refuse("bob@to.example", "554 5.7.1 no")}, nil, scheme.CodeUnavailable, "454 4.7.0 later", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if tt.client == nil {
				tt.client = func(*client.Options) {}
			}
			got := send(t, start(t, tt.server...), "mailto:bob@to.example", letter, scheme.WriteOptions{}, tt.client)
			wantCode(t, got.err, tt.want)
			e, _ := errors.AsType[*scheme.Error](got.err)
			if e == nil || e.Reply != tt.reply || tt.noted != "" && !regexp.MustCompile(`(?m)^\* another try, with what the server may require, failed: .*`+tt.noted).MatchString(got.trace) {
				t.Errorf("%v\n%s", got.err, got.trace)
			}
			if name == "recipient" && (e == nil || e.Partial == nil || len(e.Partial.Receipt.Refused) != 1) {
				t.Errorf("the refused recipient is lost: %+v", e)
			}
		})
	}
}
