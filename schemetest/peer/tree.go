package peer

import (
	"strings"
	"sync"
	"time"
)

// File is a file of the common tree.
type File struct {
	Path     []string // segments, not encoded
	Content  string
	Modified time.Time
}

// modified is the time of all files of the tree, the month of RFC 1738: old enough that a Unix LIST
// shows a year.
var modified = time.Date(1994, 12, 1, 0, 0, 0, 0, time.UTC)

// bigText returns the content of a file of 256 KiB. Each test asks for the tree, so that it is made
// once.
var bigText = sync.OnceValue(func() string { return strings.Repeat("0123456789abcde\n", 16<<10) })

// Tree returns a new copy of the tree of files that every test server serves. It has names with a
// blank, "%", an encoded "/" and non-ASCII bytes, an empty file, and a deep folder.
func Tree() []File {
	var allOctets strings.Builder
	for range 16 {
		for c := range 256 {
			allOctets.WriteByte(byte(c))
		}
	}
	f := func(content string, path ...string) File {
		return File{Path: path, Content: content, Modified: modified}
	}
	return []File{
		f("line one\nline two\nline three\n", "text.txt"),
		f("no line end", "noeol.txt"),
		f(".one dot\n..two dots\n.\nafter a lone dot\n", "dots.txt"),
		f(allOctets.String(), "bytes.bin"),
		f("", "empty"),
		f("<html><head><title>A page</title></head><body>text</body></html>\n", "page.html"),
		f("the file of RFC 1738 3.2.2\n", "etc", "motd"),
		f("eight folders down\n", "deep", "1", "2", "3", "4", "5", "6", "7", "8", "leaf.txt"),
		f("a blank\n", "names", "a b.txt"),
		f("a per cent sign\n", "names", "50%.txt"),
		f("an escape that is none\n", "names", "%2F.txt"),
		f("a semicolon\n", "names", "semi;colon.txt"),
		f("a number sign\n", "names", "x#y.txt"),
		f("a question mark\n", "names", "what?.txt"),
		f("a tilde\n", "names", "tilde~.txt"),
		f("UTF-8\n", "names", "caf\u00e9.txt"),
		f("Latin-1\n", "names", "caf\xe9.txt"),
		f(bigText(), "big.bin"),
	}
}
