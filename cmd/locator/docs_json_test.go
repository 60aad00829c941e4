package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schemaFile is the schema of all JSON output.
const schemaFile = "../../docs/json.schema.json"

// schemaOf returns the schema of the objects of a verb.
var schemaOf = func() func(verb string) (*jsonschema.Schema, error) {
	var mu sync.Mutex
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	return func(verb string) (*jsonschema.Schema, error) {
		mu.Lock()
		defer mu.Unlock()
		return compiler.Compile(schemaFile + "#/$defs/" + verb)
	}
}()

// checkSchema compares each line of output with the schema of a verb. It returns the number of
// lines.
func checkSchema(verb, output string) (lines int, err error) {
	s, err := schemaOf(verb)
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(output) {
		object, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
		if err == nil {
			err = s.Validate(object)
		}
		if err != nil {
			return lines, err
		}
		lines++
	}
	return lines, nil
}

// wantSchema is the script command "schema VERB [stderr]". It fails if a line of standard output,
// or of standard error, is not an object of the verb, or if there is none.
func wantSchema(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: schema VERB [stderr]")
	}
	n, err := checkSchema(args[0], ts.ReadFile(slices.Concat(args[1:], []string{"stdout"})[0]))
	ts.Check(err)
	if n == 0 {
		ts.Fatalf("no output")
	}
}

// The schema rejects what is not output of the program, and has an entry for each verb with JSON.
func TestSchema(t *testing.T) {
	t.Parallel()
	for verb, object := range map[string]string{
		"list": `{"name":"x"}`, "attr": `{"url":"x","status":7}`, "put": `{"url":"x","final":null,"status":99,"bytes":0,"file":null,"error":null}`,
		"rm": `{"url":"x","status":0,"error":null,"other":1}`, "parse": `{"input":"x","ok":true,"scheme":"x"}`, "version": `[]`,
	} {
		if _, err := checkSchema(verb, object); err == nil {
			t.Errorf("%s: %s passes", verb, object)
		}
	}
	for _, args := range [][]string{{"version"}, {"schemes"}, {"parse", "ftp://u:p@h/a;type=i", "ftp://h/^", "wais://h/d?x", "x:y", "http://h:99999/", ""},
		{"explain", "--compare", "ftp://h/", "http://good\\@evil/", "%", "http://h/^", "http://b\u00fccher.example/"}} {
		out, errs, _ := runText(t, "", append(args, "--json")...)
		if n, err := checkSchema(args[0], out); err != nil || n == 0 {
			t.Errorf("%v: %d lines, %v, %s", args, n, err, errs)
		}
	}
	run := filepath.Join(t.TempDir(), "run")
	for _, args := range [][]string{{"check", "--run", run, "--retry-after", "0", "mailto:a@b.example", "http://%zz/", "file:///no/such", "x:y"}, {"report", run}, {"runs", run}, {"watch", run}} {
		out, errs, _ := runText(t, "", append(args, "--json")...)
		if n, err := checkSchema(args[0], out); err != nil || n == 0 {
			t.Errorf("%v: %d lines, %v, %s", args, n, err, errs)
		}
	}
	text, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Defs map[string]any `json:"$defs"`
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	for _, c := range (&app{}).root().Commands() {
		if without := []string{"serve", "open", "handler", "serve-prospero", "serve-wais", "tour", "completion", "man", "worker"}; schema.Defs[c.Name()] == nil && !slices.Contains(without, c.Name()) {
			t.Errorf("the schema has no entry for %s", c.Name())
		}
	}
}
