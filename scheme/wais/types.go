package wais

import (
	"slices"
	"strings"

	"locator/scheme"
)

// The formats with a meaning of their own.
const (
	typeText   = "TEXT"
	typeSource = "WSRC" // the description of a database
	typeURL    = "URL"  // the headline is a URL
)

// mediaTypes is the table of formats. Any other is application/octet-stream.
var mediaTypes = map[string]string{
	typeText: "text/plain", "HTML": "text/html", typeSource: "application/x-wais-source", typeURL: "text/plain",
	"GIF": "image/gif", "JPEG": "image/jpeg", "TIFF": "image/tiff", "PICT": "image/x-pict", "PS": "application/postscript", "DVI": "application/x-dvi",
	"PDF": "application/pdf",
}

// media returns the media type of a format.
func media(typ string) string {
	if m := mediaTypes[strings.ToUpper(typ)]; m != "" {
		return m
	}
	return "application/octet-stream"
}

// preferred returns the index of the format that the caller prefers. Without a wish it is 0, the
// one that the server names first.
func preferred(types []string, accept scheme.Accept) int {
	for _, want := range accept.Types {
		if i := slices.IndexFunc(types, func(t string) bool { return strings.EqualFold(media(t), want) }); i >= 0 {
			return i
		}
	}
	return 0
}
