package report

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"locator/check"
)

// AppendJSON writes what encoding/json writes of the type, in the same order.
func TestAppendJSONAsTagged(t *testing.T) {
	t.Parallel()
	full := check.Result{Sources: []check.Place{{File: "a", Line: 1, Column: 2}, {File: "b"}}}
	v := reflect.ValueOf(&full).Elem()
	for i := range v.NumField() {
		switch f := v.Field(i); f.Interface().(type) {
		case time.Time:
			f.Set(reflect.ValueOf(day(i + 1)))
		case []string:
			f.Set(reflect.ValueOf([]string{"x", "y"}))
		case string, check.Verdict, check.Why:
			f.SetString(v.Type().Field(i).Name)
		case int, int64:
			f.SetInt(int64(i + 1))
		}
	}
	for _, r := range []check.Result{full, {}, {URL: "x", Verdict: check.OK, Bytes: -1}} {
		want, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(AppendJSON(nil, &r)); got != string(want) {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	out := write(t, "json", example())
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(lines) != 10 {
		t.Fatalf("%d lines", len(lines))
	}
	const want = `{"url":"http://a.example/gone","verdict":"broken","why":"not found","scheme":"http","status":"404","reply":"Not Found","bytes":0,"ms":45,` +
		`"attempts":2,"before":"broken","since":"2026-11-20T08:00:00Z","fails":4,` +
		`"sources":[{"file":"a.md","line":12,"column":3},{"file":"docs/b.md","line":9,"column":1}]}`
	if lines[5] != want {
		t.Errorf("got\n%s\nwant\n%s", lines[5], want)
	}
	for _, line := range lines {
		if !json.Valid([]byte(line)) {
			t.Errorf("no JSON: %s", line)
		}
	}
}
