package main

import (
	"bytes"
	"encoding/json"
)

// octets is a string in JSON output: it need not be UTF-8, and an octet that is none stands as \udcXX.
type octets string

// MarshalJSON follows json.Marshaler.
func (o octets) MarshalJSON() ([]byte, error) { return appendString(nil, string(o)), nil }

// marshal is one line of JSON without its end, "<", ">" and "&" as they are.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
