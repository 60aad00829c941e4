package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"locator/internal/buildinfo"
	"locator/internal/peers"
)

// testPrograms returns two programs. One has a module more.
func testPrograms() []program {
	all := platforms()
	own := debug.Module{Path: "example.org/Home/locator"}
	cobra := &debug.Module{Path: "github.com/spf13/cobra", Version: "v1.10.2"}
	toml := &debug.Module{Path: "github.com/BurntSushi/toml", Version: "v1.6.0", Sum: "h1:toml="}
	fork := &debug.Module{Path: "github.com/spf13/pflag", Version: "v1.0.9", Replace: &debug.Module{Path: "example.org/fork", Version: "v0.1.0+incompatible", Sum: "h1:fork="}}
	return []program{
		{all[0], strings.Repeat("a", 64), &debug.BuildInfo{GoVersion: "go1.26.8", Main: own, Deps: []*debug.Module{toml, cobra, fork}}},
		{all[5], strings.Repeat("b", 64), &debug.BuildInfo{GoVersion: "go1.26.8", Main: own, Deps: []*debug.Module{toml, fork}}},
	}
}

func testLicenses() []buildinfo.License {
	const mit = "Permission is hereby granted, free of charge, to any person obtaining a copy\nof this. And\nthis permission notice shall be included in all copies"
	return []buildinfo.License{
		{Module: "example.org/Home/locator", Text: mit}, {Module: "github.com/BurntSushi/toml", Version: "v1.6.0", Sum: "h1:toml=", Text: mit},
		{Module: "github.com/spf13/cobra", Version: "v1.10.2", Sum: "h1:cobra=", Text: mit + " Apache License Version 2.0, January 2004"},
		{Module: "example.org/fork", Version: "v0.1.0+incompatible", Text: mit, Sum: "h1:fork="},
		{Module: "x.js", Version: "6.0.0", Text: mit}, {Module: "the Go standard library", Text: mit},
	}
}

func testBOM(t *testing.T, programs []program) []byte {
	t.Helper()
	b, err := newBOM("1.2.3", source{revision: "1a2b3c4d", epoch: 1798855200}, programs, testLicenses())
	if err != nil {
		t.Fatal(err)
	}
	text, err := b.marshal()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestBOM(t *testing.T) {
	t.Parallel()
	programs := testPrograms()
	text := testBOM(t, programs)
	const golden = "testdata/bom.json"
	if want := read(t, golden); string(text) != want {
		t.Errorf("not %s:\n%s", golden, text)
	}
	programs[0].sum = strings.Repeat("c", 64)
	var one, other bom
	if err := json.Unmarshal(text, &one); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(testBOM(t, programs), &other); err != nil || one.SerialNumber == other.SerialNumber {
		t.Errorf("other programs have the number %s, %v", other.SerialNumber, err)
	}
	if _, err := newBOM("1.2.3", source{}, programs, testLicenses()[:5]); err == nil || !strings.Contains(err.Error(), "has no licence of stdlib: run go run ./internal/licenses -w") {
		t.Errorf("without a licence: %v", err)
	}
	licenses := testLicenses()
	licenses[1].Text = "Ask."
	if _, err := newBOM("1.2.3", source{}, programs, licenses); err == nil || !strings.Contains(err.Error(), "github.com/BurntSushi/toml v1.6.0: its licence is not known") {
		t.Errorf("with a licence that is not known: %v", err)
	}
}

// TestBOMSchema checks a document with the schema of CycloneDX, which comes with its library for
// Go.
func TestBOMSchema(t *testing.T) {
	t.Parallel()
	peers.LongRun(t, "the schema of CycloneDX")
	cmd := exec.CommandContext(t.Context(), "go", "mod", "download", "-json", "github.com/CycloneDX/cyclonedx-go@v0.12.0")
	cmd.Dir = t.TempDir()
	write(t, filepath.Join(cmd.Dir, "go.mod"), "module x\n", 0o644)
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod")
	out, err := cmd.Output()
	if err != nil {
		peers.Skip(t, "the schema of CycloneDX cannot be downloaded")
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(out, &module); err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	const base = "http://cyclonedx.org/schema/"
	for name, file := range map[string]string{
		"bom-1.6.schema.json": "bom-1.6.schema.json", "spdx.schema.json": "spdx.schema.json", "jsf-0.82.schema.json": "jsf-0.82.schemax.json",
	} {
		schema, err := jsonschema.UnmarshalJSON(strings.NewReader(read(t, filepath.Join(module.Dir, "schema", file))))
		if err != nil {
			t.Fatal(err)
		}
		if err := compiler.AddResource(base+name, schema); err != nil {
			t.Fatal(err)
		}
	}
	schema, err := compiler.Compile(base + "bom-1.6.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	text := string(testBOM(t, testPrograms()))
	for _, change := range [][2]string{
		{}, {`"CycloneDX"`, `"X"`}, {"urn:uuid:", ""}, {"2027-01-02T", "2027-13-02T"}, {`"SHA-256"`, `"SHA-255"`}, {`"id": "MIT"`, `"id": "MIT-9"`},
	} {
		document, err := jsonschema.UnmarshalJSON(strings.NewReader(strings.Replace(text, change[0], change[1], 1)))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(document); (err == nil) != (change[0] == "") {
			t.Errorf("%q: %v", change, err)
		}
	}
}
