package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"locator"
	"locator/client"
	"locator/policy"
	"locator/repair"
	"locator/scheme"
	"locator/scheme/all"
	"locator/vet"
	"locator/wire"
)

// explainCommand explains URLs. It uses no network.
func (a *app) explainCommand() *cobra.Command {
	var passwords, compare bool
	cmd := &cobra.Command{
		Use:   "explain [URL ...]",
		Short: "Explain a URL: parts, grammar rules, dialogue with the server, hazards; no network",
		Long: "explain prints the parts of a URL as parse does, the grammar rule that it matches, whether RFC 1738 accepts it,\n" +
			"the operations of its scheme, the commands that an access would send, and the hazards in its text. For an invalid\n" +
			"URL it prints the position and the reason. A password is shown as ****; PASS ? marks the step that would prompt\n" +
			"for one. explain makes no connection and looks up no name.\n\n" +
			"With --compare it also shows how RFC 1738, today's RFCs, RFC 3986 alone, Go's net/url and the WHATWG standard (web\n" +
			"browsers) parse the same text, and where they differ.",
		Example: "  locator explain ftp://myname@host.dom/%2Fetc/motd\n" +
			"  locator explain --json '<URL:gopher://host.dom/7/search%09red%20wine>'",
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			e := explainer{parser: a.flags.parser(locator.Current), registry: all.Registry(), policy: a.flags.policy(), limited: a.flags.limitsAddresses(),
				passwords: passwords}
			var err error
			if e.gateways, err = parseGateways(a.flags.gateways); err != nil {
				return err
			}
			if e.servers, err = serversFor(e.registry, a.flags.serverTexts(a.flags.smtp, a.Getenv)); err != nil {
				return err
			}
			return a.answers(cmd.Context(), args, passwords, func(text string) answer {
				x := e.explain(text)
				x.line = a.at.line
				if compare && len(text) <= maxURL {
					x.compare(passwords)
				}
				return &x
			})
		},
	}
	showPasswords(cmd, &passwords)
	a.listFlag(cmd)
	cmd.Flags().BoolVar(&compare, "compare", false, "show how other parsers read the text and where they differ")
	return cmd
}

// explainer explains URLs.
type explainer struct {
	parser    *locator.Parser
	registry  *scheme.Registry
	policy    *policy.Standard
	limited   bool // the flags say which addresses the policy allows
	passwords bool // show passwords in the steps
	gateways  map[string]client.Gateway
	servers   map[string][]locator.URL // that are configured, by scheme
}

// explanation holds what explain prints about one text.
type explanation struct {
	reading
	strict  *locator.SyntaxError // why RFC 1738 rejects it; nil if it accepts it
	current bool                 // Current accepts it
	clauses []locator.Clause     // of later RFCs, that allow what RFC 1738 does not

	rule, section string // of the grammar
	abilities     string
	steps         []string
	refusal       error // why an access would send nothing
	sendsNothing  bool  // an access makes no connection
	refused       error // by the policy, as far as the text of the URL tells
	limited       bool  // the flags say which addresses the policy allows
	findings      []vet.Finding

	compared comparison
}

// noServer is the step of a URL that names no server.
const noServer = "CONNECT ?"

func (e explainer) explain(text string) explanation {
	x := explanation{reading: readURL(e.parser, text)}
	x.bad = x.suggested()
	x.strict, x.current = x.bad, x.bad == nil
	if e.parser == locator.RFC1738 {
		x.current = readURL(locator.Current, text).bad == nil
	} else {
		strict := readURL(locator.RFC1738, text)
		x.strict = strict.suggested()
	}
	if x.bad != nil {
		return x
	}
	u := x.url.WithoutFragment()
	x.clauses = x.url.Clauses()
	x.rule, x.section = "genericurl", "2.1"
	_, generic := u.View().(*locator.Other)
	switch {
	case !generic && x.strict == nil:
		s := locator.SyntaxOf(u.Scheme())
		x.rule, x.section = s.Rule, s.Section
	case !generic:
		s := locator.SyntaxOf(u.Scheme())
		x.rule, x.section = s.Rule, s.CurrentSection
	case x.strict != nil:
		x.rule, x.section = "URI", "RFC 3986 3"
	}
	x.findings = vet.URL(u)
	x.refused, x.limited = e.policy.Check(u), e.limited
	if g, ok := e.gateways[u.Scheme()]; ok {
		x.abilities = "access list attributes, through the gateway " + safe(g.String())
		if x.steps, x.refusal = g.Steps(u, e.registry); x.refusal != nil {
			x.steps = nil
		}
		return x
	}
	impl, ok := e.registry.Lookup(u.Scheme())
	if !ok {
		x.abilities = noClient(u.Scheme())
		return x
	}
	x.abilities = strings.Join(scheme.Abilities(impl), " ")
	if s, ok := impl.(scheme.Explainer); ok {
		if x.steps, x.refusal = s.Steps(x.masked(e.passwords).WithoutFragment()); x.refusal != nil {
			x.steps = nil
		}
		if list := e.servers[u.Scheme()]; len(list) > 0 && len(x.steps) > 0 && x.steps[0] == noServer {
			if addr, ok := list[0].Addr(); ok { // the first that is asked
				x.steps[0] = "CONNECT " + safe(addr)
			}
		}
		x.sendsNothing = x.refusal == nil && len(x.steps) == 0
	}
	return x
}

// noClient says why a scheme has no operations.
func noClient(name string) string {
	reserved, ok := locator.IsReserved(name)
	switch {
	case ok && reserved.Instead != "":
		return fmt.Sprintf("none: a name reserved by RFC 1738 4 (%s), %s; it is %s", reserved.Meaning, became(reserved), reserved.Instead)
	case ok:
		return fmt.Sprintf("none: a name reserved by RFC 1738 4 (%s), %s", reserved.Meaning, became(reserved))
	case locator.IsExperimental(name):
		return "none: a name for experiments (RFC 1738 4)"
	case locator.SyntaxOf(name) != nil:
		return "none: locator parses this scheme and cannot access it yet"
	}
	return "none: locator has no client for this scheme"
}

// appendObject appends the object of explain --json.
func (x *explanation) appendObject(b []byte, passwords bool) []byte {
	b = x.reading.appendObject(b, passwords)
	b = b[:len(b)-1] // without the "}"
	b = append(appendKey(b, "rfc1738"), '{')
	b = appendBool(b, "ok", x.strict == nil)
	b = appendKey(b, "error")
	if x.strict == nil {
		b = append(b, "null"...)
	} else {
		b = appendSyntaxError(b, x.strict)
	}
	b = append(b, '}')
	b = append(appendKey(b, "clauses"), '[')
	for i, c := range x.clauses {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendText(append(b, '{'), "section", c.Section)
		b = strconv.AppendInt(appendKey(b, "offset"), int64(x.cut+c.Offset), 10)
		b = append(appendText(b, "what", c.What), '}')
	}
	b = append(b, ']')
	b = appendOptional(b, "readable", x.readable())
	b = appendFilled(b, "hint", repair.Hint(x.url))
	refused := ""
	if x.refused != nil {
		refused = textOf(x.refused)
	}
	b = appendFilled(b, "refused", refused)
	b = appendList(b, "steps", x.steps)
	b = append(appendKey(b, "findings"), '[')
	for i, f := range x.allFindings() {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendText(append(b, '{'), "code", f.Code)
		b = appendText(b, "severity", f.Severity.String())
		b = appendText(b, "message", f.Message)
		b = append(appendText(b, "section", f.Section), '}')
	}
	return append(x.compared.appendReaders(append(b, ']')), '}')
}

// readable returns the URL with escapes and Punycode decoded to the characters beyond ASCII that they stand for, except those
// that are invisible or may deceive. It is absent if that changes nothing. The password is always masked.
func (x *explanation) readable() locator.Optional {
	if x.bad != nil {
		return locator.Optional{}
	}
	text := x.url.Readable()
	if text == x.url.Redacted() {
		return locator.Optional{}
	}
	return locator.Some(text)
}

// allFindings returns the hazards of the URL and the differences between parsers.
func (x *explanation) allFindings() []vet.Finding {
	return slices.Concat(x.findings, x.compared.findings)
}

// appendText appends the explanation as text.
func (x *explanation) appendText(b []byte, passwords bool) []byte {
	if x.bad != nil {
		return x.appendMalformed(b, passwords)
	}
	b = x.reading.appendText(b, passwords)
	b = fmt.Appendf(b, "%-9s  %s (%s)\n", "rule", x.rule, rfc(x.section))
	if x.strict == nil {
		b = fmt.Appendf(b, "%-9s  accepts it\n", "RFC 1738")
	} else {
		b = fmt.Appendf(b, "%-9s  rejects it at byte %d: %s (%s, %s)\n", "RFC 1738", x.strict.Offset, wire.Escape(x.strict.Msg), rfc(x.strict.Section), x.strict.Rule)
	}
	for _, c := range x.clauses {
		b = fmt.Appendf(b, "%-9s  by %s at byte %d: %s\n", "allowed", c.Section, x.cut+c.Offset, c.What)
	}
	b = fmt.Appendf(b, "%-9s  %s\n", "abilities", x.abilities)
	if hint := repair.Hint(x.url); hint != "" {
		b = fmt.Appendf(b, "%-9s  %s\n", "hint", wire.Escape(hint))
	}
	switch {
	case x.refused != nil:
		b = fmt.Appendf(b, "%-9s  refuses it: %s\n", "policy", safe(textOf(x.refused)))
	case x.limited:
		b = fmt.Appendf(b, "%-9s  allows it; the addresses of a name are checked when it is accessed\n", "policy")
	}
	switch {
	case x.refusal != nil:
		b = fmt.Appendf(b, "%-9s  none: %s\n", "steps", safe(textOf(x.refusal)))
	case x.sendsNothing:
		b = fmt.Appendf(b, "%-9s  none: an access sends nothing\n", "steps")
	case len(x.steps) > 0:
		if x.refused != nil {
			b = append(b, "steps that policy refuses\n"...)
		} else {
			b = append(b, "steps\n"...)
		}
		for _, s := range x.steps {
			b = fmt.Appendf(b, "  %s\n", s)
		}
	}
	return x.appendFindings(b)
}

// appendFindings appends the table of --compare and the findings.
func (x *explanation) appendFindings(b []byte) []byte {
	b = x.compared.appendTable(b)
	list := x.allFindings()
	if len(list) > 0 {
		b = append(b, "findings\n"...)
	}
	for _, f := range list {
		b = fmt.Appendf(b, "  %-7s  %s: %s (%s)\n", f.Severity, f.Code, wire.Escape(f.Message), rfc(f.Section))
	}
	return b
}

// appendMalformed appends where and why a text is invalid. An arrow points at the position, unless a password is masked.
func (x *explanation) appendMalformed(b []byte, passwords bool) []byte {
	shown := x.shown(passwords)
	b = appendLine(b, "input", locator.Some(shown))
	if shown == x.text && len(x.text) > 0 && x.bad.Offset <= len(x.text) {
		b = fmt.Appendf(b, "%*s\n", 12+len(wire.Escape(x.text[:x.bad.Offset])), "^")
	}
	if x.bad.Scheme != "" {
		b = appendLine(b, "scheme", locator.Some(x.bad.Scheme))
	}
	b = fmt.Appendf(b, "%-9s  at byte %d: %s\n", "malformed", x.bad.Offset, wire.Escape(x.bad.Msg))
	if x.bad.Rule != "" {
		b = fmt.Appendf(b, "%-9s  %s (%s)\n", "rule", x.bad.Rule, rfc(x.bad.Section))
	}
	if x.bad.Hint != "" {
		b = fmt.Appendf(b, "%-9s  %s\n", "hint", wire.Escape(x.bad.Hint))
	}
	if x.current {
		b = fmt.Appendf(b, "%-9s  accepts it (--syntax current)\n", "current")
	}
	if x.strict == nil {
		b = fmt.Appendf(b, "%-9s  accepts it (--syntax rfc1738)\n", "RFC 1738")
	}
	return x.appendFindings(b)
}

// rfc returns a section with the name of its RFC.
func rfc(section string) string {
	if strings.HasPrefix(section, "RFC") {
		return section
	}
	return "RFC 1738 " + section
}
