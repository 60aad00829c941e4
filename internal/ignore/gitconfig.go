package ignore

import (
	"path/filepath"
	"strings"
)

// User says where the user's files of git are. Folders may be empty.
type User struct {
	Home   string // the home directory, with .gitconfig
	Config string // $XDG_CONFIG_HOME/git, with config and ignore
}

// list returns the file of patterns that the user's configuration names for all work trees, "" if there is none.
func (u User) list() string {
	name := ""
	if u.Config != "" {
		name = filepath.Join(u.Config, "ignore")
		name = u.excludesFile(filepath.Join(u.Config, "config"), name)
	}
	if u.Home != "" {
		name = u.excludesFile(filepath.Join(u.Home, ".gitconfig"), name)
	}
	return name
}

// excludesFile returns the value of core.excludesFile in a configuration file of git, as the name of a file, which may be relative to the work
// tree; otherwise if the file does not set it.
func (u User) excludesFile(config, otherwise string) string {
	text := readText(config)
	name, ok := excludesFile(text)
	switch rest, inHome := strings.CutPrefix(name, "~/"); {
	case !ok || len(text) > maxFile:
		return otherwise
	case inHome && u.Home != "":
		return filepath.Join(u.Home, rest)
	case strings.HasPrefix(name, "~"):
		return ""
	}
	return name
}

// excludesFile returns the last value of core.excludesFile in the text of a configuration file (git-config(1)). Files that it includes are
// not read.
func excludesFile(text string) (value string, ok bool) {
	core := false
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	for {
		if text = strings.TrimLeft(text, " \t\r\n\v\f"); text == "" {
			return value, ok
		}
		if i := strings.IndexAny(text, "]\n"); text[0] == '[' && i > 0 && text[i] == ']' {
			core, text = strings.EqualFold(text[:i], "[core"), text[i+1:]
			continue
		}
		name, rest := text, ""
		if i := strings.IndexAny(text, "=#;\n"); i >= 0 {
			name, rest = text[:i], text[i:]
		}
		if !strings.HasPrefix(rest, "=") { // a comment, or a key without a value
			_, text, _ = strings.Cut(rest, "\n")
			continue
		}
		var v string
		v, text = configValue(rest[1:])
		if core && strings.EqualFold(strings.TrimRight(name, " \t"), "excludesfile") {
			value, ok = v, true
		}
	}
}

// configValue returns the value at the beginning of a text, without quotation marks, escapes and the blanks around it, and the text behind
// its line.
func configValue(text string) (value, rest string) {
	var b []byte
	n := 0 // length of the value without blanks at its end
	quoted := false
	text = strings.TrimLeft(text, " \t")
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\n':
			return string(b[:n]), text[i:]
		case !quoted && (c == '#' || c == ';'):
			_, rest, _ = strings.Cut(text[i:], "\n")
			return string(b[:n]), rest
		case c == '"':
			quoted = !quoted
			continue
		case c == '\\' && i+1 < len(text):
			i++
			if c = text[i]; c == '\n' {
				continue
			}
			if k := strings.IndexByte("ntb", c); k >= 0 {
				c = "\n\t\b"[k]
			}
			b = append(b, c)
			n = len(b)
			continue
		}
		if b = append(b, c); quoted || c != ' ' && c != '\t' {
			n = len(b)
		}
	}
	return string(b[:n]), ""
}
