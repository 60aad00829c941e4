package console

import (
	"bufio"
	"bytes"
	"io"
	"strings"

	"locator/wire"
)

// sniffLen is how many bytes of a body decide whether it is text.
const sniffLen = 512

// WriteText writes text of a media type, which may be unknown, to a terminal, with control
// characters escaped. It writes nothing if the data is binary.
func WriteText(out io.Writer, body io.Reader, mediaType string) (n int64, binary bool, err error) {
	in := bufio.NewReaderSize(body, 32<<10)
	head, err := in.Peek(sniffLen)
	if len(head) == 0 && err != nil && err != io.EOF {
		return 0, false, err
	}
	if bytes.IndexByte(head, 0) >= 0 || mediaType != "" && !isTextType(mediaType) && !looksLikeText(head) {
		return 0, true, nil
	}
	n, err = io.Copy(out, wire.Text(in))
	return n, false, err
}

func isTextType(mediaType string) bool {
	return strings.HasPrefix(mediaType, "text/") || strings.Contains(mediaType, "json") || strings.Contains(mediaType, "xml")
}

// looksLikeText reports whether data has no control characters but white space.
func looksLikeText(data []byte) bool {
	for _, c := range data {
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' || c == 0x7F {
			return false
		}
	}
	return true
}
