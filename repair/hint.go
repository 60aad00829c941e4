package repair

import (
	"cmp"
	"strings"

	"locator"
	"locator/internal/octet"
	"locator/internal/schemename"
)

// Hint returns what the author of a URL may have meant instead, "" if nothing is suspicious: a URL
// of an unknown scheme, such as "htp://h/" or "localhost:8080", or one whose parts are probably not
// those that were meant, such as "gopher://h/file.txt". Any password is masked. A hint is for
// people: it may be wrong, and its words may change.
func Hint(u locator.URL) string {
	if len(u.Text()) > maxHinted {
		return ""
	}
	switch u.View().(type) {
	case *locator.Gopher:
		if hint := didYouMean(untyped(u)); hint != "" {
			return "the first character of the path was read as the item type; " + hint
		}
		if hint := didYouMean(gopherQuery(u)); hint != "" {
			return `the words of a search follow "%09", not "?"; ` + hint
		}
	case *locator.File:
		return didYouMean(fileWithoutRoot(u))
	case *locator.HTTP:
		return didYouMean(twoSchemes(u))
	case *locator.Other:
		return cmp.Or(didYouMean(hostAsScheme(u)), didYouMean(misspelt(u)))
	}
	return ""
}

// untyped: gopher://h/file.txt, which asks for "ile.txt" of type f.
func untyped(u locator.URL) string {
	path, _ := u.Path()
	if len(path) < 2 || !octet.IsLetter(path[0]) || strings.ContainsAny(path[1:2], "/%") || strings.HasPrefix(path[1:], "URL:") {
		return ""
	}
	kind := "0/"
	if strings.HasSuffix(path, "/") {
		kind = "1/"
	}
	text, at := u.Text(), gopherPath(u)
	return text[:at] + kind + text[at:]
}

// gopherQuery: gopher://h/7/search?words.
func gopherQuery(u locator.URL) string {
	path, _ := u.Path()
	i := strings.IndexByte(path, '?')
	if i < 0 || path[0] != '7' || strings.Contains(path, "%09") {
		return ""
	}
	text, at := u.Text(), gopherPath(u)+i
	return text[:at] + "%09" + strings.ReplaceAll(text[at+1:], "+", "%20")
}

// gopherPath returns where the path of a gopher URL begins, which ends it.
func gopherPath(u locator.URL) int {
	path, _ := u.Path()
	return len(u.WithoutFragment().Text()) - len(path)
}

// fileWithoutRoot: file://etc/motd, which names the host etc.
func fileWithoutRoot(u locator.URL) string {
	if host := octet.Lower(u.Host()); host == "" || host == "localhost" || strings.Contains(host, ".") {
		return ""
	}
	return "file:///" + u.Text()[len("file://"):]
}

// twoSchemes: http://ftp://h/.
func twoSchemes(u locator.URL) string {
	if i := secondScheme(u.Text()); i > 0 {
		return u.Text()[i:]
	}
	return ""
}

// hostAsScheme: localhost:8080/x, C:/file, me:secret@host/.
func hostAsScheme(u locator.URL) string {
	if isDrive(u.Text()) {
		return "file:///" + u.Text()
	}
	if _, host, ok := strings.Cut(u.SchemePart(), "@"); ok && !u.HasHost() && !isKnown(u.Scheme()) && !isOther(u.Scheme()) && withScheme(host) != "" {
		return "ftp://" + u.Text()
	}
	return withScheme(u.Text())
}

// misspelt: htp://h/, hhttp://h/, gohper://h/.
func misspelt(u locator.URL) string {
	name := u.Scheme()
	if isKnown(name) || isOther(name) || len(name) < 3 || len(name) > 10 {
		return ""
	}
	guess := ""
	for _, syntax := range locator.Schemes() {
		switch known := syntax.Name; {
		case len(known) < 3:
		case known[1:] == name: // copied without the first character
			return known + u.Text()[len(name):]
		case guess == "" && (name[0] == known[0] || name[1] == known[0] || name[0] == known[1]) && oneSlip(name, known):
			guess = known + u.Text()[len(name):]
		}
	}
	return guess
}

// isKnown reports whether package locator has a rule for a scheme.
func isKnown(name string) bool { return locator.SyntaxOf(name) != nil }

// syntaxOf returns the syntax of a scheme, the zero Syntax if package locator has no rule for it.
func syntaxOf(scheme string) locator.Syntax {
	if s := locator.SyntaxOf(scheme); s != nil {
		return *s
	}
	return locator.Syntax{}
}

// isOther reports whether a name is that of a scheme in use that package locator has no rule for,
// or one for experiments.
func isOther(name string) bool { return schemename.InUse(name) || locator.IsExperimental(name) }

// oneSlip reports whether two names differ by one character that is missing, doubled, wrong or
// exchanged with its neighbour.
func oneSlip(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	switch len(b) - len(a) {
	case 1:
		return a[i:] == b[i+1:]
	case 0:
		if i == len(a) {
			return false
		}
		return a[i+1:] == b[i+1:] || i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
	}
	return false
}
