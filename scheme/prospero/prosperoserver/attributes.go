package prosperoserver

import (
	"slices"
	"strconv"
	"strings"

	"locator/scheme/prospero/internal/text"
)

// attributes returns the ATTRIBUTE lines of a file or directory: those that are stored, and of the
// others those with the names. Without names it returns all.
func (s *Server) attributes(f Item, at string, names []string) string {
	var b strings.Builder
	for _, l := range s.names.Stored(at) {
		b.WriteString(l + "\n")
	}
	for _, n := range names {
		if strings.HasPrefix(n, "#") { // the server of 1994 does not distinguish #ALL, #INTERESTING and others
			names = nil
		}
	}
	add := func(name string, values ...string) {
		if names != nil && !slices.Contains(names, name) {
			return
		}
		b.WriteString("ATTRIBUTE OBJECT INTRINSIC " + name + " SEQUENCE")
		for _, v := range values {
			b.WriteString(" " + text.QuoteEnd(v))
		}
		b.WriteString("\n")
	}
	modes := "-rw-r--r--"
	if f.Dir {
		modes = "drwxr-xr-x"
	}
	add("SIZE", strconv.FormatInt(f.Size, 10)+" bytes")
	add("NATIVE-OWNER", "root")
	add("NATIVE-GROUP", "root")
	add("LAST-MODIFIED", f.Modified.UTC().Format("20060102150405Z"))
	add("UNIX-MODES", modes)
	if !f.Dir && f.Size <= maxContent {
		add("ACCESS-METHOD", "PROSPERO-CONTENTS", "", "", "", "")
	}
	if !f.Dir {
		for _, m := range s.names.AccessMethods(at) {
			add("ACCESS-METHOD", m...)
		}
	}
	return b.String()
}

// info answers GET-OBJECT-INFO.
func (r *request) info(names []string, name string) (string, bool) {
	if to := r.forward(name); to != "" {
		return to, true
	}
	if lines, ok := r.names.Object(name); ok {
		return lines, true
	}
	p, ok := split(name)
	if !ok {
		return "FAILURE NOT-AUTHORIZED\n", false
	}
	f, ok := r.stat(p)
	if !slices.Contains(names, "CONTENTS") {
		if !ok {
			return "FAILURE NOT-FOUND\n", false
		}
		if all := r.attributes(f, name, names); all != "" {
			return all, true
		}
		return "NONE-FOUND\n", true
	}
	if !ok || f.Dir {
		return "NONE-FOUND\n", true
	}
	content, ok := r.files.Read(p)
	if !ok {
		return "FAILURE SERVER-FAILED\n", false
	}
	return "ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA " + text.QuoteEnd(content) + "\n", true
}
