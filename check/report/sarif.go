package report

import (
	"bufio"
	"encoding/json"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"locator/check"
)

// The parts of SARIF 2.1.0 that are written.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations,omitempty"`
		Results     []sarifResult     `json:"results"`
	}
	sarifInvocation struct {
		Successful    bool        `json:"executionSuccessful"`
		Notifications []sarifNote `json:"toolExecutionNotifications"`
	}
	sarifNote struct {
		Message sarifText `json:"message"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string    `json:"id"`
		ShortDescription sarifText `json:"shortDescription"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
	}
)

// writeSARIF writes one result per place, since a reader of code scanning shows the first location
// of a result only. A column counts bytes, so it is too high behind characters that are not ASCII.
func writeSARIF(w *bufio.Writer, r Report) error {
	list, more, err := r.collect()
	if err != nil {
		return err
	}
	rules := make(map[string]sarifRule)
	for _, f := range list {
		words := string(f.Verdict) + colon(string(f.Why))
		rules[ruleID(f)] = sarifRule{ruleID(f), sarifText{words}}
	}
	ids := slices.Sorted(maps.Keys(rules))
	driver := sarifDriver{Name: "Locator", Version: r.Version, Rules: []sarifRule{}}
	for _, id := range ids {
		driver.Rules = append(driver.Rules, rules[id])
	}
	run := sarifRun{Tool: sarifTool{driver}, Results: []sarifResult{}}
	levels := map[level]string{levelError: "error", levelWarning: "warning", levelNote: "note"}
	left, cut := maxFindings, 0
	for _, f := range list {
		result := sarifResult{RuleID: ruleID(f), RuleIndex: slices.Index(ids, ruleID(f)), Level: levels[f.level()]}
		result.Message.Text = sarifMessage(f.sentence())
		for _, p := range places(f) {
			if left--; left < 0 {
				cut++
				continue
			}
			if result.Locations = nil; p.File != "" && p.File != "-" {
				result.Locations = []sarifLocation{{sarifPhysical{sarifArtifact{fileReference(p.File)}, region(p)}}}
			}
			run.Results = append(run.Results, result)
		}
	}
	if text := joinMore(more, cut); text != "" {
		run.Invocations = []sarifInvocation{{true, []sarifNote{{sarifText{text}}}}}
	}
	e := json.NewEncoder(w) // escapes <, > and &, too, for those who put it into a page
	return e.Encode(sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

// places returns the places of a finding, or the zero Place if it has none.
func places(f *finding) []check.Place {
	if len(f.Sources) == 0 {
		return []check.Place{{}}
	}
	return f.Sources
}

func region(p check.Place) *sarifRegion {
	if p.Line <= 0 {
		return nil
	}
	return &sarifRegion{p.Line, max(p.Column, 0)}
}

// sarifMessage escapes a plain text message: brackets would make a link of it, and braces a
// placeholder (SARIF 2.1.0 3.11.5 and 3.11.6).
func sarifMessage(s string) string {
	return strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, "{", "{{", "}", "}}").Replace(s)
}

// fileReference returns the name of a file as a reference (RFC 3986 4.1).
func fileReference(file string) string {
	path := cleanPath(file)
	if !filepath.IsAbs(file) {
		return (&url.URL{Path: path}).String()
	}
	return (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(path, "/")}).String()
}
