package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"locator/internal/buildinfo"
)

// The types are those of CycloneDX 1.6, https://cyclonedx.org/docs/1.6/json.
type bom struct {
	Schema       string       `json:"$schema"`
	Format       string       `json:"bomFormat"`
	SpecVersion  string       `json:"specVersion"`
	SerialNumber string       `json:"serialNumber,omitempty"`
	Version      int          `json:"version"`
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Timestamp string    `json:"timestamp"`
	Component component `json:"component"`
}

type component struct {
	Type       string        `json:"type"`
	Ref        string        `json:"bom-ref"`
	Name       string        `json:"name"`
	Version    string        `json:"version,omitempty"`
	Hashes     []hash        `json:"hashes,omitempty"`
	Licenses   []licenseItem `json:"licenses,omitempty"`
	PURL       string        `json:"purl,omitempty"`
	Properties []property    `json:"properties,omitempty"`
	Components []component   `json:"components,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

// licenseItem has one of its fields.
type licenseItem struct {
	License    *licenseID `json:"license,omitempty"`
	Expression string     `json:"expression,omitempty"`
}

type licenseID struct {
	ID string `json:"id"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type dependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn,omitempty"`
}

// writeBOM writes the list of everything that is linked into the programs.
func (r *release) writeBOM(context.Context) error {
	text, err := os.ReadFile(filepath.Join(r.tree, "cmd", "locator", "LICENSES"))
	if err != nil {
		return err
	}
	b, err := newBOM(r.version, r.source, r.linked, buildinfo.ParseLicenses(string(text)))
	if err != nil {
		return err
	}
	data, err := b.marshal()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.files, "locator-"+r.version+".cdx.json"), data, 0o644)
}

// marshal returns the document. Its serial number is made from its content.
func (b bom) marshal() ([]byte, error) {
	text, err := json.Marshal(b)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	sum[6] = sum[6]&0x0f | 0x80 // a UUID of version 8, RFC 9562 5.8
	sum[8] = sum[8]&0x3f | 0x80
	b.SerialNumber = fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
	text, err = json.MarshalIndent(b, "", "  ")
	return append(text, '\n'), err
}

// newBOM lists the modules of programs. Each must be among the licences.
func newBOM(version string, s source, programs []program, licenses []buildinfo.License) (bom, error) {
	module := programs[0].info.Main.Path
	b := bom{
		Schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", Format: "CycloneDX", SpecVersion: "1.6", Version: 1,
		Metadata: metadata{Timestamp: s.time().Format("2006-01-02T15:04:05Z"), Component: component{Type: "application", Name: "locator", Version: version}},
	}
	main := &b.Metadata.Component
	main.PURL = goPURL(module, "v"+version)
	main.Ref = main.PURL
	if s.revision != "" {
		main.Properties = []property{{"locator:revision", s.revision}}
	}
	found := make(map[string]*component)
	on := make(map[string][]string) // the platforms of a component
	add := func(c component, p platform) {
		found[c.Ref] = &c
		on[c.Ref] = append(on[c.Ref], p.String())
	}
	for _, p := range programs {
		folder, _ := p.archive(version)
		main.Components = append(main.Components, component{
			Type: "file", Ref: folder, Name: folder + "/" + p.program(), Hashes: []hash{{"SHA-256", p.sum}},
			Properties: []property{{"locator:platform", p.String()}},
		})
		for _, m := range buildinfo.Modules(p.info, licenses) {
			add(moduleComponent(m), p.platform)
		}
		goVersion := strings.TrimPrefix(p.info.GoVersion, "go")
		add(component{Type: "library", Name: "stdlib", Version: goVersion, PURL: "pkg:golang/stdlib@" + goVersion}.withRef(), p.platform)
		for _, l := range licenses {
			if l.Version != "" && l.Sum == "" { // embedded files of another registry
				add(component{Type: "library", Name: l.Module, Version: l.Version}.withRef(), p.platform)
			}
		}
	}
	texts := make(map[string]string)
	for _, l := range licenses {
		name := strings.TrimSpace(l.Module + " " + l.Version)
		if l.Module == "the Go standard library" {
			name = "stdlib"
		}
		texts[name] = l.Text
	}
	var problem error
	main.Licenses, problem = licensesOf(texts, module)
	if problem != nil {
		return b, problem
	}
	top := dependency{Ref: main.Ref}
	for _, ref := range slices.Sorted(maps.Keys(found)) {
		c := found[ref]
		name := c.Name + " " + c.Version
		if c.Name == "stdlib" {
			name = c.Name
		}
		if c.Licenses, problem = licensesOf(texts, name); problem != nil {
			return b, problem
		}
		if len(on[ref]) < len(programs) {
			c.Properties = append(c.Properties, property{"locator:platforms", strings.Join(on[ref], " ")})
		}
		b.Components = append(b.Components, *c)
		top.DependsOn = append(top.DependsOn, ref)
		b.Dependencies = append(b.Dependencies, dependency{Ref: ref})
	}
	b.Dependencies = append([]dependency{top}, b.Dependencies...)
	return b, nil
}

// moduleComponent returns what is linked: a module, or what replaces it.
func moduleComponent(m debug.Module) component {
	linked := *cmp.Or(m.Replace, &m)
	c := component{Type: "library", Name: linked.Path, Version: linked.Version, PURL: goPURL(linked.Path, linked.Version)}
	if linked.Sum != "" {
		c.Properties = append(c.Properties, property{"locator:go.sum", linked.Sum})
	}
	if m.Replace != nil {
		c.Properties = append(c.Properties, property{"locator:replaces", m.Path + "@" + m.Version})
	}
	return c.withRef()
}

func (c component) withRef() component {
	c.Ref = cmp.Or(c.PURL, c.Name+"@"+c.Version)
	return c
}

// goPURL returns the package URL of a module, in lower case as its rules demand.
func goPURL(module, version string) string {
	return "pkg:golang/" + strings.ToLower(module) + "@" + strings.ReplaceAll(version, "+", "%2B")
}

func licensesOf(texts map[string]string, name string) ([]licenseItem, error) {
	text, ok := texts[name]
	if !ok {
		return nil, fmt.Errorf("cmd/locator/LICENSES has no licence of %s: run go run ./internal/licenses -w", name)
	}
	id, err := spdx(text)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	case strings.Contains(id, " "):
		return []licenseItem{{Expression: id}}, nil
	}
	return []licenseItem{{License: &licenseID{id}}}, nil
}
