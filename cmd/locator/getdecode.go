package main

import (
	"path"
	"slices"
	"strings"

	"locator"
)

// unwrapped is the name of the file that --decode takes out of what u locates: that of a BinHex or uuencoded item (gopher
// types 4 and 6) without its ending. The name inside is the sender's word alone, and known too late to ask whether it is
// taken; a message tells it.
func (o *getOptions) unwrapped(u locator.URL, name string) string {
	v, ok := locator.As[*locator.Gopher](u)
	if !o.decode || !ok {
		return name
	}
	endings := map[string][]string{"4": {".hqx"}, "6": {".uu", ".uue"}}[v.Type.Or("")]
	if end := path.Ext(name); slices.Contains(endings, strings.ToLower(end)) && len(end) < len(name) {
		return name[:len(name)-len(end)]
	}
	return name
}
