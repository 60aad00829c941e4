package file

import "strings"

// typeOf guesses the media type of a file by its suffix, from a table of our own: the system's would make the answer
// depend on the machine. "" is unknown.
func typeOf(name string) string {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return ""
	}
	switch strings.ToLower(name[i+1:]) {
	case "txt", "text", "log", "conf", "ini", "asc":
		return "text/plain"
	case "md", "markdown":
		return "text/markdown"
	case "html", "htm", "xhtml":
		return "text/html"
	case "css":
		return "text/css"
	case "csv":
		return "text/csv"
	case "js", "mjs":
		return "text/javascript"
	case "json":
		return "application/json"
	case "xml":
		return "application/xml"
	case "pdf":
		return "application/pdf"
	case "ps", "eps":
		return "application/postscript"
	case "rtf":
		return "application/rtf"
	case "gz", "tgz":
		return "application/gzip"
	case "zip":
		return "application/zip"
	case "tar":
		return "application/x-tar"
	case "xz":
		return "application/x-xz"
	case "bz2":
		return "application/x-bzip2"
	case "zst":
		return "application/zstd"
	case "bin", "exe", "iso", "img":
		return "application/octet-stream"
	case "png":
		return "image/png"
	case "jpg", "jpeg":
		return "image/jpeg"
	case "gif":
		return "image/gif"
	case "svg":
		return "image/svg+xml"
	case "webp":
		return "image/webp"
	case "tif", "tiff":
		return "image/tiff"
	case "mp3":
		return "audio/mpeg"
	case "ogg", "oga":
		return "audio/ogg"
	case "wav":
		return "audio/wav"
	case "mp4", "m4v":
		return "video/mp4"
	case "mpg", "mpeg":
		return "video/mpeg"
	case "webm":
		return "video/webm"
	case "eml":
		return "message/rfc822"
	}
	return ""
}
