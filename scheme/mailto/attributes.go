package mailto

import (
	"context"
	"errors"
	"net"
	"slices"
	"strconv"
	"strings"

	"locator/internal/addrspec"
	"locator/scheme"
	"locator/scheme/message"
	"locator/wire"
)

// Bounds of what one request asks about.
const (
	maxDomains    = 20
	maxExchangers = 20 // of a domain
	maxProbes     = 20 // recipients that servers are asked about, so that a URL does not make a flood of connections
)

// Attributes returns the mail exchangers of the domains of the recipients, best first. It asks the
// domain name system, and no mail server unless o.Verify is set. It fails with CodeUnreachable if a
// domain does not exist, and with CodeNotFound if it accepts no mail (RFC 7505).
func (Scheme) Attributes(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.AttributesOptions) (*scheme.Resource, error) {
	d, err := newDraft(r.URL)
	if err != nil {
		return nil, err
	}
	to, err := recipients(d)
	if err != nil {
		return nil, err
	}
	res := &scheme.Resource{URL: r.URL, Kind: scheme.KindDraft, Draft: d, Notes: d.Notes}
	known := make(map[string][]string) // hosts of exchangers by domain
	var refusals []error
	if o.Verify && len(to) > maxProbes {
		res.Notes = append(res.Notes, "the mail goes to more than "+strconv.Itoa(maxProbes)+" recipients; servers are asked about the first of them")
	}
	for i, a := range to {
		key := strings.ToLower(a.Domain)
		hosts, ok := known[key]
		if !ok && len(known) == maxDomains {
			res.Notes = append(res.Notes, "the mail goes to more than "+strconv.Itoa(maxDomains)+" domains; the first of them are checked")
			break
		}
		if !ok {
			var list []scheme.Attribute
			if list, hosts, err = exchangers(ctx, env, a); err != nil {
				return nil, err
			}
			res.Attr.More, known[key] = append(res.Attr.More, list...), hosts
		}
		if o.Verify && i < maxProbes {
			m, err := probe(ctx, env, r, a, hosts)
			if err != nil && m.Value == "" {
				return nil, err
			}
			res.Attr.More = append(res.Attr.More, m)
			refusals = append(refusals, err)
		}
	}
	if len(refusals) > 0 && !slices.Contains(refusals, nil) {
		return nil, refusals[0] // nobody of the recipients exists
	}
	return res, nil
}

// recipients returns the addresses of a draft with domains in ASCII, each once. Blind copies are
// among them.
func recipients(d *message.Draft) ([]addrspec.Address, error) {
	list := slices.Concat(d.To, d.Bcc)
	for _, h := range d.Header {
		if h.Name == fields["cc"].name {
			list = append(list, h.Value)
		}
	}
	var all []addrspec.Address
	known := make(map[addrspec.Address]bool)
	for _, text := range list {
		parsed, err := addrspec.ParseList(text)
		if err != nil {
			return nil, notAddress(text, err)
		}
		for _, a := range parsed {
			ascii, err := a.ToASCII()
			if err != nil {
				return nil, notAddress(a.String(), err)
			}
			if key := ascii.Key(); !known[key] {
				known[key], all = true, append(all, ascii)
			}
		}
	}
	return all, nil
}

// exchangers returns the attributes of the mail exchangers of a domain, and their hosts.
func exchangers(ctx context.Context, env *scheme.Env, a addrspec.Address) (attr []scheme.Attribute, hosts []string, err error) {
	shown := wire.Escape(a.Domain)
	if ip, ok := a.Literal(); ok { // RFC 5321 4.1.3
		return []scheme.Attribute{{Block: shown, Name: "address", Value: ip.String()}}, []string{ip.String()}, nil
	}
	list, err := env.MX(ctx, a.Domain+".") // the dot keeps the resolver from trying names in the domain of this computer
	var dns *net.DNSError
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		return nil, nil, scheme.Fail(scheme.CodeUnreachable, "the domain %s has no mail exchanger and no address; check the spelling: %w", shown, err)
	case err != nil && len(list) == 0: // an error besides a list is about names that are not valid
		return nil, nil, scheme.Fail(scheme.CodeUnreachable, "cannot look up the mail exchangers of %s: %w", shown, err)
	}
	for _, m := range list[:min(len(list), maxExchangers)] {
		host := strings.TrimSuffix(m.Host, ".")
		switch {
		case host == "":
			return nil, nil, scheme.Fail(scheme.CodeNotFound, "the domain %s accepts no mail (null MX)", shown)
		case len(list) == 1 && m.Pref == 0 && strings.EqualFold(host, a.Domain): // RFC 5321 5.1
			attr = append(attr, scheme.Attribute{Block: shown, Name: "address", Value: wire.Escape(host)})
		default:
			attr = append(attr, scheme.Attribute{Block: shown, Name: "mx", Value: strconv.Itoa(int(m.Pref)) + " " + wire.Escape(host)})
		}
		hosts = append(hosts, host)
	}
	return attr, hosts, nil
}
