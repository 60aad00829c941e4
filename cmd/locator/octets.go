package main

import (
	"bytes"
	"encoding/json"

	"locator/internal/jsontext"
)

// octets is a string for JSON output that may not be UTF-8: a byte that is not becomes \udcXX.
type octets string

// MarshalJSON implements json.Marshaler.
func (o octets) MarshalJSON() ([]byte, error) { return jsontext.AppendString(nil, string(o)), nil }

// marshal returns a value as one line of JSON without a newline. It does not escape "<", ">" and "&".
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
