package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/explain"
)

// BenchmarkParseJSON compares parse --json with a version that prints by encoding/json, which reads
// the same input, parses it and prints the same bytes. They run in turn. The ratio of their times
// is why there is a JSON writer (decision 0075).
func BenchmarkParseJSON(b *testing.B) {
	const n = 200_000
	in := strings.Join(webURLs(n), "\n")
	ours := func(out io.Writer) {
		status := run(b.Context(), []string{"parse", "--syntax", "current", "--json"}, world{
			In: strings.NewReader(in), Out: out, Err: io.Discard, Getenv: func(string) string { return "" },
		})
		if status != 0 {
			b.Fatalf("status %d", status)
		}
	}
	standard := func(out io.Writer) {
		a := app{world: world{In: strings.NewReader(in)}}
		buffered := bufio.NewWriterSize(out, 64<<10)
		e, records := json.NewEncoder(buffered), recorder{views: make(map[string]view)}
		e.SetEscapeHTML(false)
		err := a.urls(b.Context(), nil, func(text string) error {
			// Any other text would need a json.Marshaler for each of its parts.
			if strings.ContainsFunc(text, func(c rune) bool { return !strconv.IsPrint(c) }) {
				b.Fatalf("%q is not printable", text)
			}
			r := explain.Read(locator.Current, text)
			return e.Encode(records.record(&r, a.At.Line))
		})
		if err != nil || buffered.Flush() != nil {
			b.Fatal(err)
		}
	}
	var want, got bytes.Buffer
	ours(&want)
	standard(&got)
	if want.String() != got.String() {
		b.Fatal("the outputs differ")
	}
	var took [2]time.Duration
	for b.Loop() {
		for i, parse := range []func(io.Writer){ours, standard} {
			start := time.Now()
			parse(io.Discard)
			took[i] += time.Since(start)
		}
	}
	b.ReportMetric(float64(took[0])/float64(b.N)/n, "ours-ns/URL")
	b.ReportMetric(float64(took[1])/float64(b.N)/n, "encoding/json-ns/URL")
	b.ReportMetric(float64(took[1])/float64(took[0]), "ratio")
}

// recorder makes the objects of parse --json for encoding/json, in the same memory for each URL.
type recorder struct {
	last  record
	texts []string // what the pointers of last point at
	views map[string]view
}

type record struct {
	Input     string  `json:"input"`
	Line      int     `json:"line"`
	OK        bool    `json:"ok"`
	Scheme    string  `json:"scheme"`
	User      *string `json:"user"`
	Password  *string `json:"password"`
	Host      *string `json:"host"`
	Port      any     `json:"port"`
	Fragment  *string `json:"fragment"`
	Canonical string  `json:"canonical"`
	View      any     `json:"view"` // pointer to a struct made for the parts of the scheme
}

type view struct {
	object any
	fields []**string
}

func (w *recorder) optional(s string, ok bool) *string {
	if !ok {
		return nil
	}
	w.texts = append(w.texts, s)
	return &w.texts[len(w.texts)-1]
}

func (w *recorder) record(r *explain.Reading, line int) *record {
	u := r.Masked(false)
	w.texts = w.texts[:0]
	w.last = record{Input: r.Shown(false), Line: line, OK: true, Scheme: u.Scheme(), User: w.optional(u.User()),
		Password: w.optional(r.Password(false).Get()), Host: w.optional(u.Host(), u.HasHost()), Fragment: w.optional(u.Fragment()),
		Canonical: r.Canonical(false), View: w.view(u.Scheme(), u.Parts())}
	if n, err := strconv.ParseUint(u.Port(), 10, 16); err == nil {
		w.last.Port = n
	}
	return &w.last
}

// view returns the object of the parts, which are all texts.
func (w *recorder) view(scheme string, parts []locator.Part) any {
	v, ok := w.views[scheme]
	if !ok {
		var fields []reflect.StructField
		for i, p := range parts {
			fields = append(fields, reflect.StructField{Name: fmt.Sprint("F", i), Type: reflect.TypeFor[*string](), Tag: reflect.StructTag(`json:"` + p.Name + `"`)})
		}
		object := reflect.New(reflect.StructOf(fields))
		v.object = object.Interface()
		for i := range parts {
			v.fields = append(v.fields, object.Elem().Field(i).Addr().Interface().(**string))
		}
		w.views[scheme] = v
	}
	for i, p := range parts {
		*v.fields[i] = w.optional(p.Text.Get())
	}
	return v.object
}
