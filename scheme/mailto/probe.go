package mailto

import (
	"context"
	"crypto/rand"
	"errors"
	"net"
	"strings"

	"github.com/emersion/go-smtp"

	"locator/internal/addrspec"
	"locator/scheme"
	"locator/wire"
)

// exchangerPort is the port of mail exchangers (RFC 5321 4.5.4.2).
const exchangerPort = "25"

// probe asks the first mail exchanger that can be reached whether it accepts mail for an address,
// and sends none. The attribute says what it answered. If it refuses the address, there is an error
// of CodeNotFound besides.
func probe(ctx context.Context, env *scheme.Env, r scheme.Request, a addrspec.Address, hosts []string) (scheme.Attribute, error) {
	var failure error
	for _, host := range hosts {
		answer, err := probeAt(ctx, env, r, a, host)
		if answer != "" {
			return scheme.Attribute{Block: wire.TextLine(a.String()), Name: "probe", Value: answer}, err
		}
		if failure == nil {
			failure = err
		}
		if ctx.Err() != nil {
			break
		}
	}
	return scheme.Attribute{}, failure
}

// probeAt is probe with one mail exchanger. The answer is "" if that cannot be asked.
func probeAt(ctx context.Context, env *scheme.Env, r scheme.Request, a addrspec.Address, host string) (answer string, err error) {
	c, err := dial(ctx, env, host, scheme.Dial{Purpose: scheme.ForHop, Network: "tcp", Addr: net.JoinHostPort(host, exchangerPort), URL: r.URL})
	if err != nil {
		return "", err
	}
	s := &session{conn: c, unbind: scheme.Bind(ctx, c.Raw)}
	defer func() { s.end(err) }()
	if err = s.hello(); err != nil {
		return "", err
	}
	utf8 := !a.IsASCII()
	if offered, _ := s.Extension("SMTPUTF8"); utf8 && !offered {
		return "inconclusive: " + wire.Escape(host) + " does not offer SMTPUTF8", nil
	}
	if err = s.Mail("", &smtp.MailOptions{UTF8: utf8}); err != nil {
		return inconclusive(host, atSender, err)
	}
	err = s.Rcpt(a.String(), nil)
	e, refused := errors.AsType[*smtp.SMTPError](err)
	switch {
	case refused && e.Code/100 == 5:
		bad := fail(atRecipient, e)
		if bad.Code != scheme.CodeNotFound { // refused for another reason than the address
			return inconclusive(host, atRecipient, err)
		}
		return "refused by " + wire.Escape(host) + ": " + shown(e), bad
	case err != nil:
		return inconclusive(host, atRecipient, err)
	}
	nobody := addrspec.Address{Local: "locator-probe-" + strings.ToLower(rand.Text()), Domain: a.Domain}
	if s.Rcpt(nobody.String(), nil) == nil {
		return "inconclusive: " + wire.Escape(host) + " accepts any address of the domain", nil
	}
	return "accepted by " + wire.Escape(host), nil
}

// inconclusive is the answer if a server refuses to say. The error is that of a server that does
// not answer.
func inconclusive(host string, at stage, err error) (string, error) {
	e, ok := errors.AsType[*smtp.SMTPError](err)
	if !ok {
		return "", failed(at, err)
	}
	return "inconclusive: " + wire.Escape(host) + " answers " + shown(e) + " to " + names[at], nil
}
