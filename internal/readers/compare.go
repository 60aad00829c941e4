package readers

import (
	"strings"

	"locator"
	"locator/explain"
	"locator/vet"
)

// Compare parses the text of an explanation with several parsers, and adds their differences to the
// findings. Passwords in the readings that it returns are masked, unless passwords is set.
func Compare(x *explain.Explanation, passwords bool) []Reading {
	inner, _ := locator.Unwrap(x.Text)
	list := Read(inner)
	differences := Differences(list)
	for i := range list {
		if !passwords {
			maskParts(&list[i], x.Text, x.Shown(false))
		}
		if e := list[i].Err; e != nil && e.Offset >= 0 {
			e.Offset += x.Cut
		}
	}
	for _, d := range differences {
		var values []string
		for _, same := range d.Values {
			var names []string
			for _, r := range same {
				names = append(names, r.Reader)
			}
			value, ok := same[0].Parts[d.Part]
			switch {
			case !ok:
				value = "none"
			case len(value) > 80:
				value = `"` + value[:80] + `..."`
			default:
				value = `"` + value + `"`
			}
			values = append(values, value+" ("+strings.Join(names, ", ")+")")
		}
		x.Findings = append(x.Findings, vet.Finding{
			Code: "readers-differ", Severity: vet.SeverityDanger, Section: "RFC 3986 7.6",
			Message: "parsers read a different " + d.Part + ": " + strings.Join(values, ", "),
		})
	}
	return list
}

// maskParts masks passwords in a reading of a text. A parser that splits the text in other places
// may take the password for a port or a path. Unless its password is the one that is masked in the
// text, only those parts are shown that the masked text contains.
func maskParts(r *Reading, text, masked string) {
	plain := func(s string) string { return strings.ToLower(locator.Decode(s)) }
	same := strings.Replace(plain(text), ":"+plain(r.Parts["password"])+"@", ":****@", 1) == plain(masked)
	for name, s := range r.Parts {
		if s != "" && (name == "password" || text != masked && !same && !strings.Contains(plain(masked), plain(s))) {
			r.Parts[name] = "****"
		}
	}
}
