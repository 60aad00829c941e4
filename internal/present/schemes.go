package present

import (
	"fmt"
	"strconv"
	"strings"

	"locator"
	"locator/explain"
	"locator/internal/jsontext"
	"locator/wire"
)

// AppendSchemes appends the schemes, and then the names that RFC 1738 reserves: an object per line,
// or a table.
func AppendSchemes(b []byte, list []explain.Scheme, asJSON bool) []byte {
	if asJSON {
		for _, k := range list {
			b = appendScheme(b, &k)
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
		if k.Abilities != nil {
			can = strings.Join(k.Abilities, " ")
		}
		if k.Extension {
			section = "extra, as " + section
		}
		b = fmt.Appendf(b, "%-10s  %5s  %-14s  %-11s  %s\n", wire.TextLine(k.Name), port, section, orDash(k.Rule), can)
	}
	b = append(b, "\nreserved names (RFC 1738 4)\n"...)
	for _, name := range locator.Reserved() {
		b = fmt.Appendf(b, "%-10s  %-45s %s\n", name.Name, name.Meaning, explain.Became(name))
	}
	return append(b, "x-...       free for experiments\n"...)
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return wire.TextLine(s)
}

// appendScheme appends the object of a scheme.
func appendScheme(b []byte, k *explain.Scheme) []byte {
	b = jsontext.AppendText(append(b, '{'), "name", k.Name)
	b = jsontext.AppendNumber(b, "port", k.Port, k.Port != 0)
	b = jsontext.AppendFilled(b, "section", k.Section)
	b = jsontext.AppendFilled(b, "rule", k.Rule)
	b = jsontext.AppendBool(b, "hierarchical", k.Hierarchical)
	b = jsontext.AppendBool(b, "accessible", k.Abilities != nil)
	b = jsontext.AppendList(b, "abilities", k.Abilities)
	b = jsontext.AppendBool(b, "reserved", false)
	if k.Extension {
		b = jsontext.AppendBool(b, "extra", true)
	}
	return append(b, '}', '\n')
}

// appendReserved appends the object of a reserved name.
func appendReserved(b []byte, name locator.ReservedName) []byte {
	b = jsontext.AppendText(append(b, '{'), "name", name.Name)
	b = jsontext.AppendText(b, "section", "4")
	b = jsontext.AppendBool(b, "accessible", false)
	b = jsontext.AppendBool(b, "reserved", true)
	b = jsontext.AppendText(b, "meaning", name.Meaning)
	return append(jsontext.AppendFilled(b, "rfc", name.RFC), '}', '\n')
}
