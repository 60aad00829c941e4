package anchor

import (
	"bytes"
	"math"

	"golang.org/x/net/html"
)

// maxToken bounds a tag, a comment or a piece of text.
const maxToken = 1 << 20

// inline are elements that do not separate words.
var inline = map[string]bool{
	"a": true, "abbr": true, "b": true, "bdi": true, "bdo": true, "cite": true, "code": true, "del": true, "dfn": true, "em": true, "font": true,
	"i": true, "ins": true, "kbd": true, "mark": true, "q": true, "s": true, "samp": true, "small": true, "span": true, "strong": true,
	"sub": true, "sup": true, "time": true, "tt": true, "u": true, "var": true, "wbr": true,
}

// readHTML reads a page. What follows a token that is too long is left out; nil means that there
// was one. Not much more text than most is kept.
func readHTML(body []byte, most int) *page {
	p := &page{}
	z := html.NewTokenizer(bytes.NewReader(body))
	z.SetMaxBuf(maxToken)
	hidden := false // in a script or a style sheet
	for {
		switch z.Next() {
		case html.ErrorToken:
			if z.Err() == html.ErrBufferExceeded {
				return nil
			}
			p.text = bytes.TrimSpace(p.text)
			return p
		case html.TextToken:
			if !hidden && len(p.text) < most {
				p.text = appendText(p.text, z.Text())
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			hidden = false
			p.word(name)
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			hidden = string(name) == "script" || string(name) == "style"
			if string(name) == "script" {
				p.scripts++
			}
			anchor := string(name) == "a"
			p.word(name)
			for more {
				var key, value []byte
				key, value, more = z.TagAttr()
				if len(value) > 0 && (string(key) == "id" || anchor && string(key) == "name") {
					p.add(string(value))
				}
			}
		}
	}
}

// word ends a word at a tag.
func (p *page) word(tag []byte) {
	if !inline[string(tag)] && len(p.text) > 0 && p.text[len(p.text)-1] != ' ' {
		p.text = append(p.text, ' ')
	}
}

// appendText appends text with one blank for white space.
func appendText(to, text []byte) []byte {
	for _, c := range text {
		switch c {
		case ' ', '\t', '\n', '\r', '\f':
			if len(to) > 0 && to[len(to)-1] != ' ' {
				to = append(to, ' ')
			}
		default:
			to = append(to, c)
		}
	}
	return to
}

// Text returns the text of an HTML page without its markup, with one blank for white space. ok is
// false if the page cannot be read.
func Text(d *Document) (text []byte, scripted, ok bool) {
	switch d.kind() {
	case htmlKind:
		p := readHTML(d.decoded(), math.MaxInt)
		if p == nil {
			return nil, false, false
		}
		return p.text, p.scripts > 0 && len(p.text) < shortText, true
	case textKind, markdownKind:
		return appendText(nil, d.decoded()), false, true
	}
	return nil, false, false
}
