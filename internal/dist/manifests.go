package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"text/template"
)

const summary = "Read, explain and access URLs as RFC 1738 defines them"

// placeholder is the base URL without a home.
const placeholder = "https://example.org/locator"

// checkBaseURL requires https: what is installed from it runs with the rights of the user.
func checkBaseURL(base string) error {
	if base == "" {
		return nil
	}
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || strings.ContainsAny(base, "\"#\\ ") {
		return fmt.Errorf("BASEURL=%s is not an https URL of a folder", base)
	}
	return nil
}

// writeManifests writes the formula of Homebrew and the manifest of Scoop for the archives that
// were made.
func (r *release) writeManifests(context.Context) error {
	base := strings.TrimSuffix(r.baseURL, "/")
	if base == "" {
		base = placeholder
	}
	archives := make(map[string]download)
	for _, p := range r.wanted {
		folder, name := p.archive(r.version)
		sum, err := sumOf(filepath.Join(r.files, name))
		if err != nil {
			return err
		}
		archives[p.String()] = download{base + "/" + name, sum, folder}
	}
	formula, err := homebrew(r.version, base, archives)
	if err == nil {
		err = r.writeIfAny("locator.rb", formula)
	}
	if err != nil {
		return err
	}
	manifest, err := scoop(r.version, base, archives)
	if err != nil {
		return err
	}
	return r.writeIfAny("locator.json", manifest)
}

func (r *release) writeIfAny(name string, text []byte) error {
	if text == nil {
		return nil
	}
	return os.WriteFile(filepath.Join(r.files, name), text, 0o644)
}

// download is an archive that a package manager installs.
type download struct {
	URL, Sum string
	folder   string // in the archive
}

var formulaTemplate = template.Must(template.New("formula").Parse(`class Locator < Formula
  desc "{{.Summary}}"
  homepage "{{.Home}}"
  version "{{.Version}}"
  license "BSD-3-Clause"
{{range .Systems}}
  on_{{.Name}} do
{{- range .Archives}}
    on_{{.Name}} do
      url "{{.URL}}"
      sha256 "{{.Sum}}"
    end
{{- end}}
  end
{{end}}
  def install
    bin.install "locator"
    man1.install Dir["man/*.1"]
    bash_completion.install "completion/locator.bash" => "locator"
    zsh_completion.install "completion/locator.zsh" => "_locator"
    fish_completion.install "completion/locator.fish"
    doc.install "README.md", "CHANGELOG.md", "LICENSES"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/locator version")
    assert_match "ftp", shell_output("#{bin}/locator parse ftp://host.dom/a")
  end
end
`))

// homebrew returns a formula, or nil if there is no archive for it.
func homebrew(version, base string, archives map[string]download) ([]byte, error) {
	type named struct {
		Name string
		download
	}
	type system struct {
		Name     string
		Archives []named
	}
	var systems []system
	for _, s := range [][2]string{{"macos", "darwin"}, {"linux", "linux"}} {
		one := system{Name: s[0]}
		for _, arch := range [][2]string{{"arm", "arm64"}, {"intel", "amd64"}} {
			if d, ok := archives[s[1]+"/"+arch[1]]; ok {
				one.Archives = append(one.Archives, named{arch[0], d})
			}
		}
		if one.Archives != nil {
			systems = append(systems, one)
		}
	}
	if systems == nil {
		return nil, nil
	}
	var b bytes.Buffer
	err := formulaTemplate.Execute(&b, map[string]any{"Summary": summary, "Home": base, "Version": version, "Systems": systems})
	return b.Bytes(), err
}

type scoopManifest struct {
	Version      string               `json:"version"`
	Description  string               `json:"description"`
	Homepage     string               `json:"homepage"`
	License      string               `json:"license"`
	Architecture map[string]scoopArch `json:"architecture"`
	Bin          string               `json:"bin"`
}

type scoopArch struct {
	URL        string `json:"url"`
	Hash       string `json:"hash"`
	ExtractDir string `json:"extract_dir"`
}

// scoop returns a manifest, or nil if there is no archive for it.
func scoop(version, base string, archives map[string]download) ([]byte, error) {
	m := scoopManifest{Version: version, Description: summary, Homepage: base, License: "BSD-3-Clause", Architecture: make(map[string]scoopArch), Bin: "locator.exe"}
	for _, arch := range [][2]string{{"64bit", "amd64"}, {"arm64", "arm64"}} {
		if d, ok := archives["windows/"+arch[1]]; ok {
			m.Architecture[arch[0]] = scoopArch{d.URL, d.Sum, d.folder}
		}
	}
	if len(m.Architecture) == 0 {
		return nil, nil
	}
	text, err := json.MarshalIndent(m, "", "    ")
	return append(text, '\n'), err
}
