package gopher

import (
	"bytes"
	"io"
	"strings"

	"locator/internal/armor"
	"locator/internal/mediatype"
	"locator/scheme"
)

// itemType says what an item type means and how its items are read. Everything that depends on the
// type is decided by this table, but for quirks.
type itemType struct {
	name    string
	kind    scheme.Kind // of an item; KindNote if nothing can be requested, KindSession if the protocol is another
	text    bool        // a plain reply may have an end mark and doubled dots (RFC 1436 3.2); else it goes to the close
	media   string      // the media type; "" if the type does not determine it
	byName  []string    // a suffix of the selector may name a better media type that begins with one of these
	sniff   bool        // the first bytes of the content say more than the type
	unwrap  func(io.Reader) (*armor.File, error)
	wrapped []string // suffixes of files that unwrap can unwrap
}

// anyMedia is the byName of types that say nothing of their content.
var anyMedia = []string{""}

var (
	textNames  = []string{"text/"}
	imageNames = []string{"image/"}
	audioNames = []string{"audio/"}
)

// typeNameServer is the type of CSO name servers, which do not speak gopher.
const typeNameServer = '2'

// itemTypes are the types of RFC 1436 3.8 (0 to 9, +, T, g, I), of the Gopher+ document 2.9 (: ;
// <), and others that servers use.
var itemTypes = map[byte]itemType{
	'0': {name: "text", kind: scheme.KindObject, text: true, media: mediaText, byName: textNames},
	'1': {name: "menu", kind: scheme.KindListing, media: mediaMenu},
	'2': {name: "CSO name server", kind: scheme.KindUnknown},
	'3': {name: "error", kind: scheme.KindNote},
	'4': {name: "BinHex", kind: scheme.KindObject, text: true, media: "application/mac-binhex40", unwrap: armor.BinHex, wrapped: []string{".hqx"}},
	'5': {name: "DOS binary", kind: scheme.KindObject, media: mediaBinary, byName: anyMedia},
	'6': {name: "uuencoded", kind: scheme.KindObject, text: true, media: "text/x-uuencode", unwrap: armor.UU, wrapped: []string{".uu", ".uue"}},
	'7': {name: "search", kind: scheme.KindQuery, media: mediaMenu},
	'8': {name: "telnet session", kind: scheme.KindSession},
	'9': {name: "binary", kind: scheme.KindObject, media: mediaBinary, byName: anyMedia},
	'T': {name: "tn3270 session", kind: scheme.KindSession},
	'g': {name: "GIF image", kind: scheme.KindObject, media: "image/gif"},
	'I': {name: "image", kind: scheme.KindObject, byName: imageNames, sniff: true},
	':': {name: "bitmap image", kind: scheme.KindObject, byName: imageNames, sniff: true},
	';': {name: "movie", kind: scheme.KindObject, media: "video/mpeg", byName: []string{"video/"}},
	'<': {name: "sound", kind: scheme.KindObject, media: "audio/basic", byName: audioNames},
	'i': {name: "information", kind: scheme.KindNote},
	'h': {name: "HTML", kind: scheme.KindObject, media: mediaHTML},
	'H': {name: "HTML", kind: scheme.KindObject, media: mediaHTML},
	's': {name: "sound", kind: scheme.KindObject, media: "audio/basic", byName: audioNames},
	'p': {name: "image or PDF", kind: scheme.KindObject, media: "image/png", byName: []string{"image/", mediaPDF}, sniff: true},
	'd': {name: "document", kind: scheme.KindObject, media: mediaPDF, byName: anyMedia, sniff: true},
	'P': {name: "PDF", kind: scheme.KindObject, media: mediaPDF},
	'r': {name: "RTF", kind: scheme.KindObject, media: "application/rtf"},
	'x': {name: "XML", kind: scheme.KindObject, text: true, media: "application/xml"},
	'X': {name: "XML", kind: scheme.KindObject, text: true, media: "application/xml"},
	'M': {name: "mail", kind: scheme.KindObject, text: true, media: "message/rfc822"},
	'm': {name: "mail folder", kind: scheme.KindObject, text: true, media: mediaText, byName: textNames},
	'c': {name: "calendar", kind: scheme.KindObject, text: true, media: "text/calendar"},
	'e': {name: "event", kind: scheme.KindObject, text: true, media: mediaText, byName: textNames},
	'v': {name: "virtual world or video", kind: scheme.KindObject, media: mediaBinary, byName: anyMedia},
	'w': {name: "address or text", kind: scheme.KindObject, text: true, media: mediaText, byName: textNames},
	'u': {name: "newsgroup", kind: scheme.KindNote},
	'!': {name: "title", kind: scheme.KindNote},
}

// The media types that decide how something is read, and those that types share.
const (
	mediaMenu     = "application/gopher-menu"
	mediaPlusMenu = "application/gopher+-menu"
	mediaHTML     = "text/html"
	mediaText     = "text/plain"
	mediaPDF      = "application/pdf"
	mediaBinary   = "application/octet-stream"
)

// typeOf returns what is known of a type. Items of an unknown type, "+" among them, are read as
// binaries.
func typeOf(typ byte) itemType {
	if t, ok := itemTypes[typ]; ok {
		return t
	}
	return itemType{name: "type " + string(rune(typ)), kind: scheme.KindObject, media: mediaBinary, byName: anyMedia}
}

// trueType returns the type as which an item is read.
//
// QUIRK: UMN gopherd lists a binary as a text, with a selector that begins with its true type
// (umn-3.0.5, 01). See [unmarked].
func trueType(typ byte, selector string) byte {
	if typ == '0' && len(selector) > 1 && selector[1] == '/' && (selector[0] == '5' || selector[0] == '9') {
		return selector[0]
	}
	return typ
}

// mediaOf returns the media type of an item by its type, the begin of its content if known, and its
// name; "" if none of them shows it. A text stays a text whatever its name.
func mediaOf(typ byte, selector string, head []byte) string {
	t := typeOf(trueType(typ, selector))
	if t.sniff {
		for _, m := range magic {
			if bytes.HasPrefix(head, []byte(m.begin)) {
				return m.media
			}
		}
	}
	// A name never implies a type that a viewer may run: only the item types h, H, x and X say that
	// an item is HTML or XML.
	if named := mediatype.ByName(selector); named != "" && !mediatype.Active(selector) {
		for _, begin := range t.byName {
			if strings.HasPrefix(named, begin) {
				return named
			}
		}
	}
	return t.media
}

// magic are the first bytes of formats that items of types p, I, : and d have.
var magic = []struct{ begin, media string }{
	{"GIF87a", "image/gif"}, {"GIF89a", "image/gif"}, {"\x89PNG\r\n\x1a\n", "image/png"}, {"\xff\xd8\xff", "image/jpeg"},
	{"BM", "image/bmp"}, {"II*\x00", "image/tiff"}, {"MM\x00*", "image/tiff"}, {"%PDF-", "application/pdf"},
	{"%!PS", "application/postscript"},
}

// sniffLen is the length of the longest magic, in bytes.
const sniffLen = 8
