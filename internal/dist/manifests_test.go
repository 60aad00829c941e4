package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// testArchives returns an archive for each platform.
func testArchives(base string) map[string]download {
	all := make(map[string]download)
	for i, p := range platforms() {
		folder, name := p.archive("1.2.3")
		all[p.String()] = download{base + "/" + name, fmt.Sprintf("%064x", i), folder}
	}
	return all
}

// TestHomebrew checks the structure of the formula, and its syntax if there is ruby.
func TestHomebrew(t *testing.T) {
	t.Parallel()
	const base = "https://example.org/1.2.3"
	archives := testArchives(base)
	text, err := homebrew("1.2.3", base, archives)
	if err != nil {
		t.Fatal(err)
	}
	formula := string(text)
	if !strings.HasPrefix(formula, "class Locator < Formula\n") || strings.Count(formula, "\n  on_") != 2 || strings.Contains(formula, "windows") {
		t.Errorf("the formula is:\n%s", formula)
	}
	blocks := regexp.MustCompile(`(?s)  on_(\w+) do\n    on_arm do\n      url "(\S+)"\n      sha256 "(\w+)"\n    end\n    on_intel do\n      url "(\S+)"\n      sha256 "(\w+)"\n    end\n  end\n`).FindAllStringSubmatch(formula, -1)
	for i, system := range [][2]string{{"macos", "darwin"}, {"linux", "linux"}} {
		arm, intel := archives[system[1]+"/arm64"], archives[system[1]+"/amd64"]
		if len(blocks) != 2 || blocks[i][1] != system[0] || blocks[i][2] != arm.URL || blocks[i][3] != arm.Sum || blocks[i][4] != intel.URL || blocks[i][5] != intel.Sum {
			t.Fatalf("blocks %q of:\n%s", blocks, formula)
		}
	}
	opened := len(regexp.MustCompile(`(?m)^(class|.* do$|  def )`).FindAllString(formula, -1))
	if closed := len(regexp.MustCompile(`(?m)^ *end$`).FindAllString(formula, -1)); opened != closed {
		t.Errorf("%d blocks, %d ends", opened, closed)
	}
	// What it installs is in the archive.
	for _, want := range []string{`bin.install "locator"`, `Dir["man/*.1"]`, `"completion/locator.bash" => "locator"`, `"completion/locator.zsh" => "_locator"`, `"completion/locator.fish"`} {
		if !strings.Contains(formula, want) {
			t.Errorf("no %s", want)
		}
	}
	if none, err := homebrew("1.2.3", base, map[string]download{"windows/amd64": {}}); none != nil || err != nil {
		t.Errorf("a formula without archives: %s, %v", none, err)
	}
	need(t, "ruby")
	file := filepath.Join(t.TempDir(), "locator.rb")
	write(t, file, formula, 0o644)
	if out, err := exec.CommandContext(t.Context(), "ruby", "-c", file).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

func TestScoop(t *testing.T) {
	t.Parallel()
	schema, err := jsonschema.NewCompiler().Compile("testdata/scoop.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	const base = "https://example.org/1.2.3"
	archives := testArchives(base)
	text, err := scoop("1.2.3", base, archives)
	if err != nil {
		t.Fatal(err)
	}
	manifest := string(text)
	for _, change := range [][2]string{
		{}, {`"version"`, `"Version"`}, {`"64bit"`, `"amd64"`}, {archives["windows/amd64"].Sum, "00"}, {`"hash"`, `"sha256"`}, {`https://example.org/1.2.3/`, ``},
		{`"locator.exe"`, `7`},
	} {
		document, err := jsonschema.UnmarshalJSON(strings.NewReader(strings.Replace(manifest, change[0], change[1], 1)))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(document); (err == nil) != (change[0] == "") {
			t.Errorf("%q: %v", change, err)
		}
	}
	for _, arch := range []string{"amd64", "arm64"} {
		d := archives["windows/"+arch]
		if !strings.Contains(manifest, d.URL+`"`) || !strings.Contains(manifest, `"`+d.Sum+`"`) || !strings.Contains(manifest, `"locator-1.2.3-windows-`+arch+`"`) {
			t.Errorf("no archive for %s:\n%s", arch, manifest)
		}
	}
	if none, err := scoop("1.2.3", base, map[string]download{"linux/amd64": {}}); none != nil || err != nil {
		t.Errorf("a manifest without archives: %s, %v", none, err)
	}
}
