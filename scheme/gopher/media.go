package gopher

import "locator/internal/mediatype"

// mediaByName returns the media type of an item by the suffix of its selector; "" if it is unknown. It is never a type that
// a viewer may run: only the item types h, H, x and X say that an item is HTML or XML.
func mediaByName(selector string) string {
	if mediatype.Active(selector) {
		return ""
	}
	return mediatype.ByName(selector)
}

// magic are the first bytes of formats that items of types p, I, : and d have.
var magic = []struct{ begin, media string }{
	{"GIF87a", "image/gif"}, {"GIF89a", "image/gif"}, {"\x89PNG\r\n\x1a\n", "image/png"}, {"\xff\xd8\xff", "image/jpeg"},
	{"BM", "image/bmp"}, {"II*\x00", "image/tiff"}, {"MM\x00*", "image/tiff"}, {"%PDF-", "application/pdf"},
	{"%!PS", "application/postscript"},
}

// sniffLen is the length of the longest magic, in bytes.
const sniffLen = 8
