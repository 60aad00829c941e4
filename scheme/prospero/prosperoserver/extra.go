package prosperoserver

import (
	"strings"

	"locator/scheme/prospero/internal/text"
)

// extra is a link of a directory that is not a file in it.
type extra struct {
	kind, name, host, object string // of its LINK line; "" if it cannot be read
	lines                    string // the LINK line and those behind it
}

// shown returns the lines of a link. Without attributes, only those that say how an external link
// is accessed are among them.
func (x extra) shown(attributes bool) string {
	if attributes {
		return x.lines
	}
	var b strings.Builder
	for l := range strings.SplitAfterSeq(x.lines, "\n") {
		if !strings.HasPrefix(l, "ATTRIBUTE ") || strings.HasPrefix(l, "ATTRIBUTE LINK FIELD ACCESS-METHOD") {
			b.WriteString(l)
		}
	}
	return b.String()
}

// read reads the LINK line of a link.
func (x *extra) read(line string) {
	if tokens, err := text.NewScanner(strings.NewReader(line), len(line)+1).Line(); err == nil && len(tokens) > 7 {
		x.kind, x.name, x.host, x.object = tokens[1], tokens[3], tokens[5], tokens[7]
	}
}

// workOfLinks is how many bytes of a LinksFile take as long as looking up a file.
const workOfLinks = 32

// extras returns the links that a directory has besides its files, if the request may still read
// them. Their names are only read if named is set.
func (r *request) extras(path []string, named bool) (all []extra) {
	lines, size := r.files.Links(path)
	if !r.work(size / workOfLinks) {
		return nil
	}
	for begin, i := 0, 1; i <= len(lines); i++ {
		if i < len(lines) && !strings.HasPrefix(lines[i], "LINK") {
			continue
		}
		x := extra{lines: strings.Join(lines[begin:i], "\n") + "\n"}
		if named {
			x.read(lines[begin])
		}
		all = append(all, x)
		begin = i
	}
	return all
}
