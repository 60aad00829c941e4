package main

import (
	"crypto/tls"
	"strings"
	"sync"
	"time"

	"locator/internal/present"
	"locator/internal/units"
	"locator/scheme"
)

// verboseTrace returns the trace of -v without --trace: a line for each connection to a server, but none for data connections.
func (p *printer) verboseTrace() *scheme.Trace {
	return &scheme.Trace{Connected: func(c scheme.Connection) {
		if c.Dial.Purpose != scheme.ForData {
			p.info("connected to %s in %v", c.Remote, units.Round(c.Took))
		}
	}}
}

// verboseTLS makes -v say how the connections to each host are secured.
func (p *printer) verboseTLS(cfg *tls.Config) {
	var said sync.Map
	insecure := cfg.InsecureSkipVerify
	cfg.VerifyConnection = func(s tls.ConnectionState) error {
		line := tls.VersionName(s.Version)
		if s.ServerName != "" { // not sent for an address
			line += " with " + s.ServerName
		}
		line += ", " + tls.CipherSuiteName(s.CipherSuite)
		if len(s.PeerCertificates) > 0 {
			line += ", certificate issued by " + s.PeerCertificates[0].Issuer.String()
		}
		if insecure {
			line += ", not verified"
		}
		if _, again := said.LoadOrStore(line, true); !again {
			p.info("%s", line)
		}
		return nil
	}
}

// sayResource says with -v what a URL led to.
func (p *printer) sayResource(res *scheme.Resource) {
	words := []string{res.Kind.String()}
	if n, ok := res.Attr.Size.Get(); ok {
		words = append(words, units.Size(n))
	}
	if res.Attr.Type != "" {
		words = append(words, res.Attr.Type)
	}
	if t := present.TimeText(res.Attr.Modified); t != "" {
		words = append(words, "modified "+t)
	}
	p.info("%s: %s", res.URL.Redacted(), strings.Join(words, ", "))
}

// sayTime says with -v how long a URL took.
func (p *printer) sayTime(shown string, start time.Time, more string) {
	p.info("%s: done in %v%s", shown, units.Round(time.Since(start)), more)
}
