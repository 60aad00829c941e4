package explain

import (
	"locator"
	"locator/client"
	"locator/policy"
	"locator/scheme"
	"locator/scheme/ability"
	"locator/vet"
	"locator/wire"
)

// Explainer explains URLs.
type Explainer struct {
	Parser    *locator.Parser          // nil means [locator.Current]
	Registry  *scheme.Registry         // must not be nil
	Policy    *policy.Standard         // nil refuses nothing
	Passwords bool                     // show passwords in the steps
	Via       map[string]client.Via    // gateways, by scheme
	Servers   map[string][]locator.URL // that are configured, by scheme
}

// Explanation is what an Explainer says about a text. If Err is not nil, only Strict and Current
// are set too.
type Explanation struct {
	Reading
	Strict  *locator.SyntaxError // why RFC 1738 rejects it; nil if it accepts it
	Current bool                 // today's RFCs accept it
	Clauses []locator.Clause     // of later RFCs, that allow what RFC 1738 does not

	Rule, Section string // of the grammar
	Abilities     []string
	Via           string // the gateway that the URL is accessed through, if any
	NoClient      string // why there are no abilities; "" if there are

	Steps        []string // what an access would send
	Unable       error    // why an access would send nothing
	SendsNothing bool     // an access makes no connection
	Refused      error    // by the policy, as far as the text of the URL shows
	Findings     []vet.Finding
}

// noServer is the step of a URL that names no server.
const noServer = "CONNECT ?"

// Explain explains a text, which may be wrapped.
func (e *Explainer) Explain(text string) Explanation {
	parser := e.Parser
	if parser == nil {
		parser = locator.Current
	}
	x := Explanation{Reading: Read(parser, text)}
	x.Err = x.Suggested()
	x.Strict, x.Current = x.Err, x.Err == nil
	if parser == locator.RFC1738 {
		r := Read(locator.Current, text)
		x.Current = r.Err == nil
	} else {
		r := Read(locator.RFC1738, text)
		x.Strict = r.Suggested()
	}
	if x.Err != nil {
		return x
	}
	u := x.URL.WithoutFragment()
	x.Clauses = x.URL.Clauses()
	x.Rule, x.Section = rule(u, x.Strict == nil)
	x.Findings = vet.URL(u)
	if e.Policy != nil {
		x.Refused = e.Policy.Check(u)
	}
	if g, ok := e.Via[u.Scheme()]; ok {
		x.Abilities, x.Via = []string{"access", "list", "attributes"}, g.String()
		if x.Steps, x.Unable = g.Steps(u, e.Registry); x.Unable != nil {
			x.Steps = nil
		}
		return x
	}
	impl, ok := e.Registry.Lookup(u.Scheme())
	if !ok {
		x.NoClient = noClient(u.Scheme())
		return x
	}
	x.Abilities = ability.Names(impl)
	if s, ok := impl.(scheme.Explainer); ok {
		if x.Steps, x.Unable = s.Steps(x.Masked(e.Passwords).WithoutFragment()); x.Unable != nil {
			x.Steps = nil
		}
		if list := e.Servers[u.Scheme()]; len(list) > 0 && len(x.Steps) > 0 && x.Steps[0] == noServer {
			if addr, ok := list[0].Addr(); ok { // the first that is asked
				x.Steps[0] = "CONNECT " + wire.TextLine(addr)
			}
		}
		x.SendsNothing = x.Unable == nil && len(x.Steps) == 0
	}
	return x
}

// rule returns the rule of the grammar that a URL matches, and its section.
func rule(u locator.URL, strict bool) (name, section string) {
	_, generic := u.View().(*locator.Other)
	switch s := locator.SyntaxOf(u.Scheme()); {
	case !generic && strict:
		return s.Rule, s.Section
	case !generic:
		return s.Rule, s.CurrentSection
	case !strict:
		return "URI", "RFC 3986 3"
	}
	return "genericurl", "2.1"
}

// noClient says why a scheme has no abilities.
func noClient(name string) string {
	reserved, ok := locator.IsReserved(name)
	switch {
	case ok && reserved.Instead != "":
		return "a name reserved by RFC 1738 4 (" + reserved.Meaning + "), " + Became(reserved) + "; it is " + reserved.Instead
	case ok:
		return "a name reserved by RFC 1738 4 (" + reserved.Meaning + "), " + Became(reserved)
	case locator.IsExperimental(name):
		return "a name for experiments (RFC 1738 4)"
	case locator.SyntaxOf(name) != nil:
		return "locator parses this scheme and cannot access it yet"
	}
	return "locator has no client for this scheme"
}

// Readable returns the URL with escapes and Punycode decoded to the characters beyond ASCII that
// they stand for, except those that are invisible or may deceive. It is absent if that changes
// nothing. Passwords are always masked.
func (x *Explanation) Readable() locator.Optional {
	if x.Err != nil {
		return locator.Optional{}
	}
	text := x.URL.Readable()
	if text == x.URL.Redacted() {
		return locator.Optional{}
	}
	return locator.Some(text)
}
