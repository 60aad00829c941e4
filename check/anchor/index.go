package anchor

import (
	"bytes"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"

	"locator"
)

// An Index has the places of a document that fragments name, but for words of its text. It is
// smaller than the document.
type Index struct {
	kind     kind
	unread   bool     // the document cannot be read
	scripted bool     // a script makes its content
	lines    int      // unless it is of HTML
	ids      []uint64 // hashes in order
	seed     maphash.Seed
}

// Index returns the index of the document.
func (d *Document) Index() *Index {
	x := &Index{kind: d.kind(), seed: maphash.MakeSeed()}
	if x.kind != htmlKind {
		if x.lines = bytes.Count(d.Body, []byte("\n")); len(d.Body) > 0 && d.Body[len(d.Body)-1] != '\n' {
			x.lines++
		}
	}
	if x.kind != htmlKind && x.kind != markdownKind {
		return x
	}
	p := d.read(shortText)
	if p == nil {
		x.unread = true
		return x
	}
	x.scripted = x.kind == htmlKind && p.scripted()
	for id := range p.ids {
		x.ids = append(x.ids, maphash.String(x.seed, id))
	}
	slices.Sort(x.ids)
	return x
}

// Size returns about how many bytes of memory the index takes.
func (x *Index) Size() int { return 64 + 8*cap(x.ids) }

// Find is as that of Document, but does not look at the directive of a fragment (#:~:text=).
func (x *Index) Find(fragment string) Answer {
	id, directive, _ := strings.Cut(fragment, ":~:")
	switch {
	case id == "" && directive == "":
		return Present
	case x.kind == otherKind:
		return Unknown
	case id == "":
		return Present
	}
	return x.orScripted(x.place(id))
}

// orScripted returns the answer; another one if a script may make what is absent.
func (x *Index) orScripted(a Answer) Answer {
	if a == Absent && x.scripted {
		return Scripted
	}
	return a
}

// place looks for the part of the fragment before its directives.
func (x *Index) place(id string) Answer {
	if id[0] == '!' || id[0] == '/' { // a state of a program
		return Unknown
	}
	if x.kind != htmlKind {
		if m := lineRange.FindStringSubmatch(id); m != nil {
			return x.hasLines(m[1:])
		}
		if x.kind == textKind {
			return Unknown
		}
	}
	decoded := locator.Decode(id)
	switch {
	case strings.EqualFold(decoded, "top"):
		return Present
	case x.unread:
		return Unknown
	case x.has(id), x.has(decoded):
		return Present
	case x.kind == htmlKind && lineRange.MatchString(id): // a script knows these
		return Unknown
	}
	return Absent
}

// hasLines reports whether the text has those lines.
func (x *Index) hasLines(numbers []string) Answer {
	for _, text := range numbers {
		if n, err := strconv.Atoi(text); err == nil && (n < 1 || n > x.lines) {
			return Absent
		}
	}
	return Present
}

// has reports whether the page has an id.
//
// QUIRK: GitHub writes "user-content-" before the ids of what its users write, and a script of its
// pages knows it.
func (x *Index) has(id string) bool {
	return slices.ContainsFunc([]string{id, "user-content-" + id}, func(id string) bool {
		_, ok := slices.BinarySearch(x.ids, maphash.String(x.seed, id))
		return ok
	})
}
