package ftp

import "strings"

// suffixes is the one table from a name's suffix to the type of its content (RFC 1738 3.2.3, A3). Suffixes are compared
// without regard to case. What is not here, and a name without a suffix, is of unknown content.
var suffixes = map[string]string{
	// text: every line end counts, and none of these formats counts octets
	"asc": "text/plain", "c": "text/x-c", "cc": "text/x-c++", "cpp": "text/x-c++", "css": "text/css", "csv": "text/csv",
	"diff": "text/x-diff", "eml": "message/rfc822", "h": "text/x-c", "htm": "text/html", "html": "text/html",
	"ics": "text/calendar", "java": "text/x-java", "js": "text/javascript", "log": "text/plain", "markdown": "text/markdown",
	"md": "text/markdown", "patch": "text/x-diff", "pl": "text/x-perl", "py": "text/x-python", "rtx": "text/richtext",
	"sgml": "text/sgml", "shar": "text/x-shar", "sh": "text/x-sh", "tex": "text/x-tex", "texi": "text/x-texinfo",
	"text": "text/plain", "tsv": "text/tab-separated-values", "txt": "text/plain", "uu": "text/x-uuencode",
	"vcf": "text/vcard", "xml": "text/xml",
	// octets
	"7z": "application/x-7z-compressed", "aif": "audio/aiff", "aiff": "audio/aiff", "au": "audio/basic",
	"avi": "video/x-msvideo", "bin": "application/octet-stream", "bmp": "image/bmp", "bz2": "application/x-bzip2",
	"class": "application/java-vm", "deb": "application/vnd.debian.binary-package", "doc": "application/msword",
	"dvi": "application/x-dvi", "eps": "application/postscript", "epub": "application/epub+zip",
	"exe": "application/octet-stream", "flac": "audio/flac", "gif": "image/gif", "gz": "application/gzip",
	"iso": "application/x-iso9660-image", "jar": "application/java-archive", "jpeg": "image/jpeg", "jpg": "image/jpeg",
	"json": "application/json", "lzh": "application/x-lzh", "mkv": "video/matroska", "mov": "video/quicktime",
	"mp3": "audio/mpeg", "mp4": "video/mp4", "mpeg": "video/mpeg", "mpg": "video/mpeg", "odt": "application/vnd.oasis.opendocument.text",
	"ogg": "audio/ogg", "pdf": "application/pdf", "png": "image/png", "ps": "application/postscript",
	"rpm": "application/x-rpm", "rtf": "application/rtf", "svg": "image/svg+xml", "tar": "application/x-tar",
	"tgz": "application/gzip", "tif": "image/tiff", "tiff": "image/tiff", "wav": "audio/wav", "webm": "video/webm",
	"webp": "image/webp", "xbm": "image/x-xbitmap", "xz": "application/x-xz", "z": "application/x-compress",
	"zip": "application/zip", "zst": "application/zstd",
}

// contentType guesses the media type of a file from its name. "" is unknown.
func contentType(name string) string {
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 {
		return ""
	}
	return suffixes[strings.ToLower(name[dot+1:])]
}

// guessType deduces the transfer type from the content (RFC 1738 3.2.3): text in TYPE A, so that its lines end as they
// do here; all else in TYPE I, which is exact.
func guessType(name string) byte {
	if t := contentType(name); strings.HasPrefix(t, "text/") || strings.HasPrefix(t, "message/") {
		return ascii
	}
	return image
}
