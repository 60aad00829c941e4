package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"locator"
	"locator/scheme"
	"locator/scheme/all"
)

// schemesCommand lists the schemes.
func (a *app) schemesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schemes",
		Short: "List schemes, their operations, and reserved names",
		Example: "  locator schemes\n" +
			"  locator schemes --json",
		Long: "schemes lists the schemes of RFC 1738 and all others that the program supports: the default port, the section and\n" +
			"rule of the grammar, and the operations. Then it lists the names that RFC 1738 section 4 reserves, with the RFCs\n" +
			"that define them now.",
		Args: takes(0, 0),
		RunE: func(*cobra.Command, []string) error {
			b := appendSchemes(nil, knownSchemes(all.Registry()), a.flags.json)
			_, err := a.Out.Write(b)
			return outputError(err)
		},
	}
}

// known is a scheme that the program can parse, and perhaps access.
type known struct {
	*locator.Syntax
	abilities []string // nil if the program cannot access it
}

// knownSchemes returns the schemes of RFC 1738 in its order, then https, then the others in the registry.
func knownSchemes(r *scheme.Registry) (list []known) {
	add := func(s *locator.Syntax) {
		k := known{Syntax: s}
		if impl, ok := r.Lookup(s.Name); ok {
			k.abilities = scheme.Abilities(impl)
		}
		list = append(list, k)
	}
	for _, s := range locator.Schemes() {
		if !s.Extension && s.Productions != "" {
			add(s)
		}
	}
	for _, name := range r.Names() {
		if !slices.ContainsFunc(list, func(k known) bool { return k.Name == name }) {
			impl, _ := r.Lookup(name)
			add(impl.Syntax())
		}
	}
	return list
}

func appendSchemes(b []byte, list []known, asJSON bool) []byte {
	if asJSON {
		for _, k := range list {
			b = k.appendObject(b)
		}
		for _, name := range locator.Reserved() {
			b = appendReserved(b, name)
		}
		return b
	}
	b = fmt.Appendf(b, "%-10s  %5s  %-14s  %-11s  %s\n", "scheme", "port", "section", "rule", "abilities")
	for _, k := range list {
		port, can, section := "-", "not yet accessible", orDash(k.Section)
		if k.Port != 0 {
			port = strconv.Itoa(int(k.Port))
		}
		if k.abilities != nil {
			can = strings.Join(k.abilities, " ")
		}
		if k.Extension {
			section = "extra, as " + section
		}
		b = fmt.Appendf(b, "%-10s  %5s  %-14s  %-11s  %s\n", safe(k.Name), port, section, orDash(k.Rule), can)
	}
	b = append(b, "\nreserved names (RFC 1738 4)\n"...)
	for _, name := range locator.Reserved() {
		b = fmt.Appendf(b, "%-10s  %-45s %s\n", name.Name, name.Meaning, became(name))
	}
	return append(b, "x-...       free for experiments\n"...)
}

// became says which RFC defines a reserved name now.
func became(name locator.ReservedName) string {
	if name.RFC == "" {
		return "still undefined"
	}
	return "RFC " + name.RFC
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return safe(s)
}

// appendObject appends a line of schemes --json.
func (k known) appendObject(b []byte) []byte {
	b = appendText(append(b, '{'), "name", k.Name)
	b = appendKey(b, "port")
	if k.Port == 0 {
		b = append(b, "null"...)
	} else {
		b = strconv.AppendInt(b, int64(k.Port), 10)
	}
	b = appendFilled(b, "section", k.Section)
	b = appendFilled(b, "rule", k.Rule)
	b = appendBool(b, "hierarchical", k.Hierarchical)
	b = appendBool(b, "accessible", k.abilities != nil)
	b = appendList(b, "abilities", k.abilities)
	b = appendBool(b, "reserved", false)
	if k.Extension {
		b = appendBool(b, "extra", true)
	}
	return append(b, '}', '\n')
}

// appendReserved appends a line of schemes --json for a reserved name.
func appendReserved(b []byte, name locator.ReservedName) []byte {
	b = appendText(append(b, '{'), "name", name.Name)
	b = appendText(b, "section", "4")
	b = appendBool(b, "accessible", false)
	b = appendBool(b, "reserved", true)
	b = appendText(b, "meaning", name.Meaning)
	return append(appendFilled(b, "rfc", name.RFC), '}', '\n')
}
