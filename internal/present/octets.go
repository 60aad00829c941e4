package present

import (
	"bytes"
	"encoding/json"
	"time"

	"locator/internal/jsontext"
)

// Octets is a string for JSON output that may not be UTF-8: a byte that is not becomes \udcXX.
type Octets string

// MarshalJSON implements json.Marshaler.
func (o Octets) MarshalJSON() ([]byte, error) { return jsontext.AppendString(nil, string(o)), nil }

// Marshal returns a value as one line of JSON without a newline. It does not escape "<", ">" and
// "&".
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// OrNull returns nil for an empty string.
func OrNull(s string) *Octets {
	if s == "" {
		return nil
	}
	o := Octets(s)
	return &o
}

// TimeText formats a time by RFC 3339. It returns "" for the zero time.
func TimeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
