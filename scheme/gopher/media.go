package gopher

import "strings"

// mediaBySuffix maps the suffix of a name to its media type. It has no types that a viewer may run: only the item types h,
// H, x and X say that an item is HTML or XML.
var mediaBySuffix = map[string]string{
	"txt": mediaText, "text": mediaText, "md": "text/markdown", "csv": "text/csv", "tsv": "text/tab-separated-values",
	"ics": "text/calendar", "vcf": "text/vcard", "gmi": "text/gemini", "rtf": "application/rtf",
	"gif": "image/gif", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "bmp": "image/bmp",
	"webp": "image/webp", "tif": "image/tiff", "tiff": "image/tiff", "xbm": "image/x-xbitmap", "pcx": "image/vnd.zbrush.pcx",
	"pdf": "application/pdf", "ps": "application/postscript", "eps": "application/postscript", "dvi": "application/x-dvi",
	"doc": "application/msword", "epub": "application/epub+zip", "hqx": "application/mac-binhex40",
	"zip": "application/zip", "gz": "application/gzip", "tgz": "application/gzip", "z": "application/x-compress",
	"bz2": "application/x-bzip2", "xz": "application/x-xz", "tar": "application/x-tar", "7z": "application/x-7z-compressed",
	"zst": "application/zstd", "iso": "application/x-iso9660-image",
	"au": "audio/basic", "snd": "audio/basic", "wav": "audio/wav", "mp3": "audio/mpeg", "ogg": "audio/ogg",
	"oga": "audio/ogg", "flac": "audio/flac", "mid": "audio/midi", "midi": "audio/midi", "aif": "audio/aiff", "aiff": "audio/aiff",
	"mpg": "video/mpeg", "mpeg": "video/mpeg", "mp4": "video/mp4", "mov": "video/quicktime", "avi": "video/x-msvideo",
	"ogv": "video/ogg", "webm": "video/webm", "wrl": "model/vrml", "vrml": "model/vrml",
}

// magic are the first bytes of formats that items of types p, I, : and d have.
var magic = []struct{ begin, media string }{
	{"GIF87a", "image/gif"}, {"GIF89a", "image/gif"}, {"\x89PNG\r\n\x1a\n", "image/png"}, {"\xff\xd8\xff", "image/jpeg"},
	{"BM", "image/bmp"}, {"II*\x00", "image/tiff"}, {"MM\x00*", "image/tiff"}, {"%PDF-", "application/pdf"},
	{"%!PS", "application/postscript"},
}

// sniffLen is the length of the longest magic, in bytes.
const sniffLen = 8

// maxSuffix bounds a suffix, in bytes with its dot.
const maxSuffix = 8

// suffix returns the part of a selector after the last dot of its last segment, in lower case.
func suffix(selector string) string {
	for i := len(selector) - 1; i >= 0 && i >= len(selector)-maxSuffix; i-- {
		switch selector[i] {
		case '.':
			return strings.ToLower(selector[i+1:])
		case '/':
			return ""
		}
	}
	return ""
}
