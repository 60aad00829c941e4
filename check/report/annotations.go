package report

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"locator/wire"
)

// writeGitHub writes one workflow command per place, the worst first, since GitHub shows the first
// ten of each level of a step.
func writeGitHub(w *bufio.Writer, r Report) error {
	list, more, err := r.collect()
	if err != nil {
		return err
	}
	commands := map[level]string{levelError: "error", levelWarning: "warning", levelNote: "notice"}
	left, cut := maxFindings, 0
	for _, f := range list {
		for _, p := range places(f) {
			if left--; left < 0 {
				cut++
				continue
			}
			properties := []string{"title=" + githubProperty("Link is "+string(f.Verdict))}
			if p.File != "" && p.File != "-" {
				properties = append(properties, "file="+githubProperty(cleanPath(p.File)))
				if p.Line > 0 {
					properties = append(properties, "line="+strconv.Itoa(p.Line))
				}
				if p.Column > 0 {
					properties = append(properties, "col="+strconv.Itoa(p.Column))
				}
			}
			fmt.Fprintf(w, "::%s %s::%s\n", commands[f.level()], strings.Join(properties, ","), githubData(f.sentence()))
		}
	}
	if text := joinMore(more, cut); text != "" {
		fmt.Fprintf(w, "::notice title=Links::%s\n", text)
	}
	return nil
}

// cleanPath returns the name of a file as GitHub and GitLab compare it with those of a repository:
// with slashes, and without "./" in front.
func cleanPath(file string) string { return filepath.ToSlash(filepath.Clean(file)) }

// githubData escapes the message of a workflow command. The runner takes what follows the second
// "::" of a line as it is, except for these escapes, so that a later "::" is text.
func githubData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(wire.TextLine(s))
}

// githubProperty escapes the value of a property, which ends at a comma or "::".
func githubProperty(s string) string {
	return wire.TextLine(strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s))
}

// A gitlabIssue is an entry of a code quality report.
type gitlabIssue struct {
	Description string         `json:"description"`
	CheckName   string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"`
	Severity    string         `json:"severity"`
	Location    gitlabLocation `json:"location"`
}

type gitlabLocation struct {
	Path      string          `json:"path"`
	Positions gitlabPositions `json:"positions"`
}

type gitlabPositions struct {
	Begin gitlabPosition `json:"begin"`
}

type gitlabPosition struct {
	Line   int `json:"line"`
	Column int `json:"column,omitempty"`
}

// writeGitLab writes one entry per place. Its fingerprint does not depend on the line, so that an
// entry is not new because a line was added above it.
func writeGitLab(w *bufio.Writer, r Report) error {
	list, more, err := r.collect()
	if err != nil {
		return err
	}
	severities := map[level]string{levelError: "major", levelWarning: "minor", levelNote: "info"}
	issues, cut := []gitlabIssue{}, 0
	for _, f := range list {
		seen := make(map[string]int)
		for _, p := range places(f) {
			if len(issues) == maxFindings {
				cut++
				continue
			}
			name := cleanPath(cmp.Or(p.File, "-"))
			seen[name]++
			issues = append(issues, gitlabIssue{
				f.sentence(), ruleID(f), fingerprint(name, f.URL, strconv.Itoa(seen[name])), severities[f.level()],
				gitlabLocation{wire.TextLine(name), gitlabPositions{gitlabPosition{max(p.Line, 1), max(p.Column, 0)}}},
			})
		}
	}
	if text := joinMore(more, cut); text != "" {
		issues = append(issues, gitlabIssue{
			text, "more", fingerprint("more"), "info", gitlabLocation{"-", gitlabPositions{gitlabPosition{Line: 1}}},
		})
	}
	return json.NewEncoder(w).Encode(issues)
}

func fingerprint(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:16])
}
