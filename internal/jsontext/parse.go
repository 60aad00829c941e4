package jsontext

import (
	"encoding/json"
	"strconv"
	"unicode/utf16"
)

// Parse returns the string of a JSON string that AppendString may have written, with the bytes that are not UTF-8.
func Parse(b []byte) (string, error) {
	var all []byte
	begin := 0 // of what encoding/json can parse, and has not yet
	part := func(end int) error {
		text := b[begin:end]
		if begin > 0 {
			text = append([]byte{'"'}, text...)
		}
		if end < len(b) {
			text = append(text[:len(text):len(text)], '"')
		}
		var s string
		if err := json.Unmarshal(text, &s); err != nil {
			return err
		}
		all = append(all, s...)
		return nil
	}
	for i := 0; i < len(b); {
		r, ok := escaped(b[i:])
		switch {
		case ok && r>>8 == 0xDC && r&0xFF >= 0x80: // the low half of a pair is skipped with the high one
			if err := part(i); err != nil {
				return "", err
			}
			all = append(all, byte(r))
			i += len(`\udcXX`)
			begin = i
		case ok && utf16.IsSurrogate(r):
			i += 2 * len(`\udcXX`)
		case b[i] == '\\':
			i += 2
		default:
			i++
		}
	}
	if err := part(len(b)); err != nil {
		return "", err
	}
	return string(all), nil
}

// escaped returns the character of the escape \uXXXX at the begin of b.
func escaped(b []byte) (rune, bool) {
	if len(b) < len(`\uXXXX`) || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(b[2:6]), 16, 16)
	return rune(n), err == nil
}
