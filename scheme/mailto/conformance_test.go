package mailto_test

import (
	"crypto/tls"
	"testing"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/scheme/mailto"
	"locator/scheme/mailto/smtptest"
	"locator/schemetest"
	"locator/schemetest/peer"
)

// TestConformance runs the suite: with a server without TLS, with STARTTLS and a login, and with
// TLS from the first byte.
//
// Covers: S10, A8, A15, P1, P2, P3, P5, P6, T126
func TestConformance(t *testing.T) {
	cert, err := peer.Certify()
	if err != nil {
		t.Fatal(err)
	}
	for name, options := range map[string][]smtptest.Option{
		"plain":    nil,
		"starttls": {smtptest.TLS(cert.Config()), smtptest.Login("PLAIN"), smtptest.AuthOverTLS()},
		"smtps":    {smtptest.ImplicitTLS(cert.Config()), smtptest.Login("LOGIN")},
	} {
		t.Run(name, func(t *testing.T) { schemetest.Run(t, harness(cert, options...)) })
	}
}

func harness(cert *peer.Certificate, options ...smtptest.Option) schemetest.Harness {
	return schemetest.Harness{
		Scheme: mailto.New(),
		Start: func(t *testing.T) schemetest.Server {
			s, err := smtptest.Start(options...)
			if err != nil {
				t.Fatal(err)
			}
			return s
		},
		Faults: []schemetest.Fault{
			schemetest.Stall, schemetest.Torn, schemetest.EndlessLine, schemetest.EndlessList, schemetest.Nonsense, schemetest.WrongCode,
			schemetest.Unavailable, schemetest.Drip, schemetest.Unanswered,
		},
		Alone: func(schemetest.Server) locator.URL {
			u, _ := locator.Current.Parse("mailto:ann@tree.example?subject=The%20tree&cc=bob@tree.example&body=one%0D%0Atwo")
			return u
		},
		Local: true,
		Post: func(schemetest.Server) locator.URL {
			u, _ := locator.Current.Parse("mailto:ann@tree.example")
			return u
		},
		Hostile: []string{
			"mailto:a@b.example%0D%0Ac@d.example", "mailto:a%00@b.example", "mailto:a@b.example?subject=x%0D%0ABcc:%20c@d.example", "mailto:a@b.example?cc=c@d.example%0Ax",
			"mailto:a@b.example?in-reply-to=%3Ca@b%3E%0D", "mailto:a@b.example?sub%0Aject=x", "mailto:?to=a@b.example%0A", "mailto:a@b.example?bcc=c@d.example%0D",
		},
		Unsafe: map[string]string{
			"mailto:a@b.example?attach=/etc/passwd": "attach", "mailto:a@b.example?attachment=x": "attachment", "mailto:a@b.example?From=boss@b.example": "from",
			"mailto:a@b.example?bcc=c@d.example": "bcc", "mailto:a@b.example?X-Mailer=x": "x-mailer", "mailto:a@b.example?content-type=text/html": "content-type",
			"mailto:a@b.example?reply-to=c@d.example": "reply-to", "mailto:a@b.example?%41ttach=x": "attach", "mailto:a@b.example?subject%3A=x": "subject:",
			"mailto:a@b.example?resent-to=c@d.example": "resent-to", "mailto:a@b.example?references=%3Ca@b%3E": "references",
		},
		Options: func(s schemetest.Server, o *client.Options) {
			o.TLS = &tls.Config{RootCAs: cert.Roots()}
			o.Servers = map[string][]locator.URL{"mailto": {s.(*smtptest.Server).ServerURL()}}
			o.Logins = []scheme.LoginFunc{client.FixedLogin(smtptest.Alice, smtptest.Password)}
		},
	}
}
