package gopher

import "locator/scheme"

// transfer is how the reply to a plain request comes.
type transfer uint8

const (
	asBinary    transfer = iota // to the close of the connection
	asText                      // perhaps with an end mark and doubled dots (RFC 1436 3.2)
	asPage                      // HTML: to the close, dots are never touched
	asMenu                      // lines that are items
	asSearch                    // a menu, once the words are known
	asPhonebook                 // no gopher request: a query by Ph (RFC 2378)
	asSession                   // no gopher request: telnet, tn3270
	asNothing                   // nothing can be asked for
)

// itemKind is what an item type means.
type itemKind struct {
	name  string
	how   transfer
	media string // the media type, where the type alone tells it
}

// itemKinds are the types of RFC 1436 3.8 (0 to 9, +, T, g, I), of the Gopher+ document 2.9 (: ; <), and those that
// servers use beside them.
var itemKinds = [256]itemKind{
	'0': {"text", asText, "text/plain"},
	'1': {"menu", asMenu, mediaMenu},
	'2': {"CSO name server", asPhonebook, mediaText},
	'3': {"error", asNothing, ""},
	'4': {"BinHex", asText, "application/mac-binhex40"},
	'5': {"DOS binary", asBinary, mediaBinary},
	'6': {"uuencoded", asText, "text/x-uuencode"},
	'7': {"search", asSearch, mediaMenu},
	'8': {"telnet session", asSession, ""},
	'9': {"binary", asBinary, mediaBinary},
	'T': {"tn3270 session", asSession, ""},
	'g': {"GIF image", asBinary, "image/gif"},
	'I': {"image", asBinary, ""},
	':': {"bitmap image", asBinary, ""},
	';': {"movie", asBinary, "video/mpeg"},
	'<': {"sound", asBinary, "audio/basic"},
	'i': {"information", asNothing, ""},
	'h': {"HTML", asPage, mediaHTML},
	'H': {"HTML", asPage, mediaHTML},
	's': {"sound", asBinary, "audio/basic"},
	'p': {"image or PDF", asBinary, "image/png"},
	'd': {"document", asBinary, "application/pdf"},
	'P': {"PDF", asBinary, "application/pdf"},
	'r': {"RTF", asBinary, "application/rtf"},
	'x': {"XML", asText, "application/xml"},
	'X': {"XML", asText, "application/xml"},
	'M': {"mail", asText, "message/rfc822"},
	'm': {"mail folder", asText, "text/plain"},
	'c': {"calendar", asText, "text/calendar"},
	'e': {"event", asText, "text/plain"},
	'v': {"virtual world or video", asBinary, mediaBinary},
	'w': {"address or text", asText, "text/plain"},
	'u': {"newsgroup", asNothing, ""},
	'!': {"title", asNothing, ""},
}

// The media types that decide how something is read.
const (
	mediaMenu     = "application/gopher-menu"
	mediaPlusMenu = "application/gopher+-menu"
	mediaHTML     = "text/html"
	mediaText     = "text/plain"
	mediaBinary   = "application/octet-stream"
)

// kindOf gives what is known of a type. Unknown ones, "+" among them, are read as octets.
func kindOf(typ byte) itemKind {
	if k := itemKinds[typ]; k.name != "" {
		return k
	}
	return itemKind{"type " + string(rune(typ)), asBinary, mediaBinary}
}

// entryKind is the kind of an entry of that type.
func (k itemKind) entryKind() scheme.Kind {
	switch k.how {
	case asMenu:
		return scheme.KindListing
	case asSearch, asPhonebook:
		return scheme.KindQuery
	case asSession:
		return scheme.KindSession
	case asNothing:
		return scheme.KindNote
	}
	return scheme.KindObject
}
