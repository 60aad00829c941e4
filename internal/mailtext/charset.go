package mailtext

import (
	"bytes"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"
)

// hierarchies are the newsgroups in which articles without a character set had another one than
// Latin-1, by their first name.
//
// QUIRK: these hierarchies agreed on a character set before MIME, and their articles do not name
// it. Gnus knows the same ones (gnus-group-charset-alist).
var hierarchies = map[string]string{
	"relcom": "koi8-r", "fido7": "koi8-r", "fj": "iso-2022-jp", "japan": "iso-2022-jp", "tw": "big5", "hk": "big5", "cn": "gb18030", "han": "euc-kr",
	"cz": "iso-8859-2", "hr": "iso-8859-2", "hun": "iso-8859-2", "pl": "iso-8859-2", "sk": "iso-8859-2",
}

// GuessCharset returns the character set of what is not UTF-8 in articles of these groups, which
// commas separate; "" if nothing is known of the first of them.
func GuessCharset(newsgroups string) string {
	first, _, _ := strings.Cut(newsgroups, ",")
	hierarchy, _, _ := strings.Cut(strings.TrimSpace(first), ".")
	return hierarchies[hierarchy]
}

// Encoding returns the encoding of that name; nil if it cannot be decoded. UTF-16 without a byte
// order mark is big-endian unless the name says otherwise (RFC 2781 4.3).
func Encoding(charset string) encoding.Encoding {
	e, err := htmlindex.Get(charset)
	if err != nil || e == encoding.Replacement { // Replacement discards the text
		return nil
	}
	switch name, _ := htmlindex.Name(e); {
	case name == "utf-16be", strings.EqualFold(strings.TrimSpace(charset), "utf-16"):
		return unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
	case name == "utf-16le":
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	}
	return e
}

// IsUTF16 reports whether Encoding returned UTF-16, in which a byte below 0x80 is not always a
// character of ASCII.
func IsUTF16(e encoding.Encoding) bool {
	return e == unicode.UTF16(unicode.BigEndian, unicode.UseBOM) || e == unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
}

// TextEncoding returns the encoding of the first of these names that is known. ASCII is passed
// over, as texts in other character sets claim it, too. It is nil for UTF-8, and if no name is
// left.
func TextEncoding(charsets ...string) encoding.Encoding {
	for _, name := range charsets {
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "us-ascii", "ascii":
		default:
			switch e := Encoding(name); e {
			case nil:
			case unicode.UTF8:
				return nil
			default:
				return e
			}
		}
	}
	return nil
}

// orWindows1252 returns the encoding of that name, else Windows-1252, which contains Latin-1 and
// decodes every byte.
func orWindows1252(charset string) encoding.Encoding {
	if e := Encoding(charset); e != nil {
		return e
	}
	return charmap.Windows1252
}

// iso2022JP returns the encoding of a line that switches to Japanese characters as RFC 1468 says;
// nil if it does not. Nothing else in a text begins with these bytes, and terminals do not know
// them.
func iso2022JP(line []byte) encoding.Encoding {
	if bytes.Contains(line, []byte("\x1b$B")) || bytes.Contains(line, []byte("\x1b$@")) {
		return japanese.ISO2022JP
	}
	return nil
}
