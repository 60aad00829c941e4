package gopher

import (
	"slices"
	"strconv"
	"strings"

	"locator/scheme"
)

// viewsBlock lists the views of an item.
const viewsBlock = "+VIEWS"

// view is a line of +VIEWS: "Text/plain En_US: <.1k>" (the Gopher+ document 2.6). A request for it
// repeats it exactly.
type view struct {
	kind     string // the media type
	language string
	size     string // as received, without the brackets
}

// parseView parses a line. Language, colon and size may be missing.
func parseView(line string) view {
	var v view
	line = strings.TrimSpace(line)
	if rest, ok := strings.CutSuffix(line, ">"); ok {
		if i := strings.LastIndexByte(rest, '<'); i >= 0 {
			line, v.size = strings.TrimSpace(rest[:i]), rest[i+1:]
		}
	}
	line = strings.TrimSpace(strings.TrimSuffix(line, ":"))
	v.kind, v.language, _ = strings.Cut(line, " ")
	v.language = strings.TrimSpace(v.language)
	return v
}

// name returns the name by which the view is requested.
func (v view) name() string {
	if v.language == "" {
		return v.kind
	}
	return v.kind + " " + v.language
}

func (v view) media() string { return strings.ToLower(v.kind) }

// octets returns the size in bytes if it is exact, as in "512b". Other sizes are rounded.
func (v view) octets() scheme.Count {
	digits, ok := strings.CutSuffix(v.size, "b")
	n, err := strconv.ParseUint(digits, 10, 63)
	if !ok || err != nil {
		return scheme.Count{}
	}
	return scheme.Known(int64(n))
}

// views returns the views of an item in the order of the server, whose favourite is the first.
func (rec record) views() []view {
	b, _ := rec.find(viewsBlock)
	var vs []view
	for _, line := range b.lines {
		if v := parseView(line); v.kind != "" {
			vs = append(vs, v)
		}
	}
	return vs
}

// choose returns the view that meets the wishes best: the media type counts first, then the
// language, then the server's order. ok is false if no view has a media type that is wished for.
func choose(vs []view, wish scheme.Accept) (best view, ok bool) {
	bestType, bestLang := 0, 0
	for _, v := range vs {
		t := rank(wish.Types, func(w string) bool { return matchesType(w, v.media()) })
		l := rank(wish.Languages, func(w string) bool { return matchesLanguage(w, v.language) })
		if t == len(wish.Types) && t > 0 {
			continue
		}
		if !ok || t < bestType || t == bestType && l < bestLang {
			best, bestType, bestLang, ok = v, t, l, true
		}
	}
	return best, ok
}

// rank returns the index of the first wish that is met, or the number of wishes.
func rank(wishes []string, met func(string) bool) int {
	if i := slices.IndexFunc(wishes, met); i >= 0 {
		return i
	}
	return len(wishes)
}

func matchesType(wish, media string) bool {
	wish, _, _ = strings.Cut(strings.ToLower(wish), ";")
	wish = strings.TrimSpace(wish)
	if top, ok := strings.CutSuffix(wish, "/*"); ok {
		return top == "*" || strings.HasPrefix(media, top+"/")
	}
	return wish == media
}

// matchesLanguage compares a language tag with the language of a view, such as "En_US". "en"
// matches all its regions.
func matchesLanguage(wish, language string) bool {
	wish, _, _ = strings.Cut(wish, ";")
	wish = strings.ToLower(strings.ReplaceAll(strings.TrimSpace(wish), "_", "-"))
	language = strings.ToLower(strings.ReplaceAll(language, "_", "-"))
	return wish == "*" || wish == language || strings.HasPrefix(language, wish+"-")
}
