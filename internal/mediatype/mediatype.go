// Package mediatype returns the media type of a file by the suffix of its name. Its table is the
// same on every machine, unlike that of the system.
package mediatype

import "strings"

// lines maps suffixes to the formats that consist of lines of text and have no byte offsets: their
// line ends may be converted.
var lines = map[string]string{
	"asc": "text/plain", "c": "text/x-c", "cc": "text/x-c++", "cpp": "text/x-c++", "css": "text/css", "csv": "text/csv",
	"diff": "text/x-diff", "eml": "message/rfc822", "h": "text/x-c", "htm": "text/html", "html": "text/html",
	"ics": "text/calendar", "java": "text/x-java", "js": "text/javascript", "log": "text/plain",
	"markdown": "text/markdown", "md": "text/markdown", "patch": "text/x-diff", "pl": "text/x-perl",
	"py": "text/x-python", "rtx": "text/richtext", "sgml": "text/sgml", "sh": "text/x-sh", "shar": "text/x-shar",
	"tex": "text/x-tex", "texi": "text/x-texinfo", "text": "text/plain", "tsv": "text/tab-separated-values",
	"txt": "text/plain", "uu": "text/x-uuencode", "vcf": "text/vcard", "xml": "application/xml",
}

// others maps suffixes to all other formats.
var others = map[string]string{
	"7z": "application/x-7z-compressed", "aif": "audio/aiff", "aiff": "audio/aiff", "au": "audio/basic",
	"avi": "video/x-msvideo", "bin": "application/octet-stream", "bmp": "image/bmp", "bz2": "application/x-bzip2",
	"class": "application/java-vm", "conf": "text/plain", "deb": "application/vnd.debian.binary-package",
	"doc": "application/msword", "dvi": "application/x-dvi", "eps": "application/postscript",
	"epub": "application/epub+zip", "exe": "application/octet-stream", "flac": "audio/flac", "gif": "image/gif",
	"gmi": "text/gemini", "gz": "application/gzip", "hqx": "application/mac-binhex40", "img": "application/octet-stream",
	"ini": "text/plain", "iso": "application/x-iso9660-image", "jar": "application/java-archive", "jpeg": "image/jpeg",
	"jpg": "image/jpeg", "json": "application/json", "lzh": "application/x-lzh", "m4v": "video/mp4", "mid": "audio/midi",
	"midi": "audio/midi", "mjs": "text/javascript", "mkv": "video/matroska", "mov": "video/quicktime",
	"mp3": "audio/mpeg", "mp4": "video/mp4", "mpeg": "video/mpeg", "mpg": "video/mpeg",
	"odt": "application/vnd.oasis.opendocument.text", "oga": "audio/ogg", "ogg": "audio/ogg", "ogv": "video/ogg",
	"pcx": "image/vnd.zbrush.pcx", "pdf": "application/pdf", "png": "image/png", "ps": "application/postscript",
	"rpm": "application/x-rpm", "rtf": "application/rtf", "snd": "audio/basic", "svg": "image/svg+xml",
	"tar": "application/x-tar", "tgz": "application/gzip", "tif": "image/tiff", "tiff": "image/tiff",
	"vrml": "model/vrml", "wav": "audio/wav", "webm": "video/webm", "webp": "image/webp", "wrl": "model/vrml",
	"xbm": "image/x-xbitmap", "xhtml": "text/html", "xz": "application/x-xz", "z": "application/x-compress",
	"zip": "application/zip", "zst": "application/zstd",
}

// maxSuffix bounds a suffix, in bytes.
const maxSuffix = 8

// ByName returns the media type of a file by the suffix of the last segment of its name, in either
// case of letters; "" if it is unknown.
func ByName(name string) string {
	s := suffix(name)
	if t := lines[s]; t != "" {
		return t
	}
	return others[s]
}

// Lines reports whether the suffix of a name denotes lines of text, which FTP transfers in TYPE A
// (RFC 1738 3.2.3).
func Lines(name string) bool { return lines[suffix(name)] != "" }

// Active reports whether the suffix of a name denotes a program, or a document that can contain
// one, which a viewer might run.
func Active(name string) bool {
	switch suffix(name) {
	case "class", "deb", "exe", "htm", "html", "jar", "js", "mjs", "pl", "py", "rpm", "sh", "shar", "svg", "xhtml", "xml":
		return true
	}
	return false
}

// suffix returns what follows the last dot of the last segment, in lower case; "" if there is none.
func suffix(name string) string {
	i := strings.LastIndexAny(name, "./")
	if i < 0 || name[i] == '/' || len(name)-i-1 > maxSuffix {
		return ""
	}
	return strings.ToLower(name[i+1:])
}
