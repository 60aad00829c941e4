package httptest

import (
	"fmt"
	"html"
	"net/http"
	"strings"

	"locator/schemetest/peer"
)

// index writes the index of a folder like nginx's autoindex: names cut to 50 characters, links
// escaped, times in UTC.
func index(w http.ResponseWriter, raw string, folder []string, list []child) {
	w.Header().Set("Content-Type", "text/html")
	w.WriteHeader(http.StatusOK)
	http.NewResponseController(w).Flush() // no Content-Length, like nginx
	title := html.EscapeString(raw)
	fmt.Fprintf(w, "<html>\r\n<head><title>Index of %s</title></head>\r\n<body>\r\n<h1>Index of %s</h1><hr><pre>", title, title)
	fmt.Fprintf(w, "<a href=\"../\">../</a>\r\n")
	for _, c := range list {
		fmt.Fprint(w, row(c.name, c.folder, c.file))
	}
	fmt.Fprintf(w, "</pre><hr></body>\r\n</html>\r\n")
}

const nameWidth = 50

func row(name string, folder bool, f peer.File) string {
	size := fmt.Sprintf("%19d", len(f.Content))
	if folder {
		name += "/"
		size = fmt.Sprintf("%19s", "-")
	}
	shown := strings.ToValidUTF8(name, "?")
	pad := ""
	if n := len([]rune(shown)); n > nameWidth {
		shown = string([]rune(shown)[:nameWidth-3]) + "..>"
	} else {
		pad = strings.Repeat(" ", nameWidth-n)
	}
	return fmt.Sprintf("<a href=\"%s\">%s</a>%s %s %s\r\n", escape(name), html.EscapeString(shown), pad,
		f.Modified.Format("02-Jan-2006 15:04"), size)
}

// escape escapes a name like nginx: it keeps ";" and puts "./" before a name with a colon.
func escape(name string) string {
	var b strings.Builder
	if strings.Contains(name, ":") {
		b.WriteString("./")
	}
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c <= ' ' || c >= 0x7F || strings.IndexByte("%?#\"<>\\^`{|}", c) >= 0:
			fmt.Fprintf(&b, "%%%02X", c)
		case c == '&':
			b.WriteString("&amp;")
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
