package prosperoserver

import (
	"slices"
	"strings"

	"locator/scheme/prospero/internal/text"
)

// place is a directory of the server: its name as it was given, and the parts of it.
type place struct {
	name string
	path []string
}

// child returns the name of an object in the directory.
func (p place) child(name string) string { return strings.TrimSuffix(p.name, "/") + "/" + name }

// list answers LIST. Several names, or one with slashes, are a path of names below the directory.
func (r *request) list(options, names []string, next [][]string) (string, bool) {
	if to := r.forward(r.dir); to != "" {
		return to, true
	}
	if failure := filters(options, next); failure != "" {
		return failure, false
	}
	path, ok := split(r.dir)
	if !ok {
		return "FAILURE NOT-AUTHORIZED\n", false
	}
	at := place{r.dir, path}
	if len(names) == 1 && !strings.HasPrefix(names[0], "(") && strings.Contains(names[0], "/") { // as clients wrote it before version 5
		if all := strings.FieldsFunc(names[0], func(c rune) bool { return c == '/' }); len(all) > 0 {
			names = all
		}
	}
	attributes := slices.Contains(options, "ATTRIBUTES")
	for len(names) > 1 {
		reply, below, ok := r.step(at, names, attributes)
		if reply != "" {
			return reply, ok
		}
		at, names = below, names[1:]
	}
	if f, ok := r.stat(at.path); !ok || !f.Dir {
		return "FAILURE NOT-A-DIRECTORY\n", false
	}
	if slices.Contains(options, "VERIFY") {
		return "NONE-FOUND\n", true
	}
	match, exact := func(string) bool { return true }, false
	if len(names) > 0 {
		var err error
		if match, exact, err = matcher(names[0]); err != nil {
			return "FAILURE BAD-VALUE " + text.QuoteEnd(names[0]+": "+err.Error()) + "\n", false
		}
	}
	items, failure := r.items(at, names, match, exact)
	if failure != "" {
		return failure, false
	}
	var b strings.Builder
	for _, f := range items {
		name, target := at.child(f.Name), "FILE"
		if f.Dir {
			target = "DIRECTORY"
		}
		b.WriteString(link("L", target, f.Name, r.name(), name, "0") + "\n")
		if attributes && r.forward(name) == "" {
			b.WriteString(r.attributes(f, name, nil))
		}
	}
	for _, x := range r.extras(at.path, len(names) > 0) {
		if len(names) == 0 || x.kind == "U" || match(x.name) {
			b.WriteString(x.shown(attributes))
		}
	}
	if b.Len() == 0 {
		return "NONE-FOUND\n", true
	}
	return b.String(), true
}

// filters returns the failure for a filter that the lines behind a LIST name, or "".
func filters(options []string, next [][]string) string {
	if !slices.Contains(options, "FILTER") {
		return ""
	}
	for _, line := range next {
		if line[0] != "FILTER" {
			break
		}
		if i := slices.Index(line, "PREDEFINED"); i >= 0 && i+1 < len(line) && line[i+1] != "IDENTITY" {
			return "FAILURE NOT-FOUND FILTER This server does not support the PREDEFINED SERVER filter named " + text.QuoteEnd(line[i+1]) + ".\n"
		}
	}
	return ""
}

// stat returns a file, if the request may still look it up.
func (r *request) stat(path []string) (Item, bool) {
	if !r.work(1 + len(path)) {
		return Item{}, false
	}
	return r.files.Stat(path)
}

// items returns the items of a directory that match, or else a failure. An exact name needs no look
// at the others.
func (r *request) items(at place, names []string, match func(string) bool, exact bool) (items []Item, failure string) {
	if exact {
		if names[0] == "" || strings.Contains(names[0], "/") {
			return nil, ""
		}
		if f, ok := r.stat(append(slices.Clip(at.path), names[0])); ok {
			items = append(items, f)
		}
		return items, ""
	}
	each := 1
	if len(names) > 0 {
		each += len(names[0]) / 4 // of a regular expression
	}
	items, n, ok := r.files.List(at.path, match, r.left/each)
	switch {
	case !r.work(n*each) || n > maxItems:
		return nil, tooMany
	case !ok: // a folder that this program may not read
		return nil, "FAILURE NOT-AUTHORIZED\n"
	}
	return items, ""
}

// step follows the first of several names. It returns the directory that the name leads to, or the
// reply if it leads to none of this server.
func (r *request) step(at place, names []string, attributes bool) (reply string, below place, ok bool) {
	path := append(slices.Clip(at.path), names[0])
	if f, there := r.stat(path); there && f.Dir {
		return "", place{at.child(names[0]), path}, true
	} else if there {
		return "FAILURE NOT-A-DIRECTORY\n", below, false
	}
	all := r.extras(at.path, true)
	var b strings.Builder
	for _, x := range all {
		if x.kind != "L" || x.name != names[0] {
			continue
		}
		if path, here := split(x.object); here && strings.EqualFold(x.host, r.name()) {
			return "", place{x.object, path}, true
		}
		b.WriteString(x.shown(attributes))
		break
	}
	for _, x := range all {
		if x.kind == "U" {
			b.WriteString(x.shown(attributes))
		}
	}
	if b.Len() == 0 {
		return "NONE-FOUND\n", below, true
	}
	b.WriteString("UNRESOLVED")
	for _, n := range names[1:] {
		b.WriteString(" " + text.QuoteEnd(n))
	}
	return b.String() + "\n", below, true
}
