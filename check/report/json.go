package report

import (
	"bufio"
	"time"

	"locator/check"
	"locator/internal/jsontext"
)

func writeJSON(w *bufio.Writer, r Report) error {
	var b []byte
	return r.each(func(result *check.Result) error {
		b = append(AppendJSON(b[:0], result), '\n')
		_, err := w.Write(b)
		return err
	})
}

// AppendJSON appends a result as one JSON object on one line. Unlike that of encoding/json, it keeps
// bytes that are not UTF-8, and escapes all that a terminal cannot print.
func AppendJSON(b []byte, r *check.Result) []byte {
	b = append(b, '{')
	b = jsontext.AppendText(b, "url", r.URL)
	b = jsontext.AppendText(b, "verdict", string(r.Verdict))
	b = appendText(b, "why", string(r.Why))
	b = appendText(b, "scheme", r.Scheme)
	b = appendText(b, "status", r.Status)
	b = appendText(b, "reply", r.Reply)
	b = appendText(b, "final", r.Final)
	b = appendText(b, "to", r.To)
	if len(r.Hops) > 0 {
		b = jsontext.AppendList(b, "hops", r.Hops)
	}
	b = appendText(b, "addr", r.Addr)
	b = appendText(b, "type", r.Type)
	b = jsontext.AppendNumber(b, "bytes", r.Bytes, true)
	b = appendTime(b, "modified", r.Modified)
	b = appendText(b, "etag", r.ETag)
	b = appendText(b, "digest", r.Digest)
	b = jsontext.AppendNumber(b, "ms", r.MS, true)
	b = jsontext.AppendNumber(b, "attempts", r.Attempts, true)
	b = appendTime(b, "at", r.At)
	b = appendText(b, "note", r.Note)
	b = appendText(b, "before", string(r.Before))
	b = appendTime(b, "since", r.Since)
	b = appendNumber(b, "fails", r.Fails)
	if len(r.Sources) > 0 {
		b = append(jsontext.AppendKey(b, "sources"), '[')
		for _, p := range r.Sources {
			b = append(jsontext.AppendComma(b), '{')
			b = jsontext.AppendText(b, "file", p.File)
			b = appendNumber(b, "line", p.Line)
			b = appendNumber(b, "column", p.Column)
			b = append(b, '}')
		}
		b = append(b, ']')
	}
	return append(b, '}')
}

func appendText(b []byte, name, s string) []byte {
	if s == "" {
		return b
	}
	return jsontext.AppendText(b, name, s)
}

func appendNumber(b []byte, name string, n int) []byte {
	if n == 0 {
		return b
	}
	return jsontext.AppendNumber(b, name, n, true)
}

func appendTime(b []byte, name string, t time.Time) []byte {
	if t.IsZero() {
		return b
	}
	return jsontext.AppendText(b, name, t.Format(time.RFC3339Nano))
}
