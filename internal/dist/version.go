package main

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"time"
)

const (
	changelogFile = "CHANGELOG.md"
	versionFile   = "cmd/locator/version.go"
	unreleased    = "Unreleased"
)

var (
	versionPattern = regexp.MustCompile(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z]+(\.[0-9A-Za-z]+)*)?$`)
	releasePattern = regexp.MustCompile(`(?m)^const release = "([^"]*)"$`)
	headingPattern = regexp.MustCompile(`^(\S+) \((\d{4}-\d\d-\d\d)\)$`)
)

// checkVersion requires that the changelog, the source of the program and the tags of the revision
// agree with a version. A version with a suffix, such as 1.2.3-rc.1, is made before its release:
// its changelog may still say Unreleased, and the program's source says 1.2.3.
func checkVersion(source fs.FS, version string, tags []string) error {
	if version == "" {
		return errors.New("no version: name it with VERSION=1.2.3, or VERSION=1.2.3-dev.1 before its release")
	}
	if !versionPattern.MatchString(version) {
		return fmt.Errorf("VERSION=%s is not a version: write three numbers without v, such as 1.2.3, or 1.2.3-rc.1 before a release", version)
	}
	core, _, early := strings.Cut(version, "-")
	var err error
	changelog, problem := fs.ReadFile(source, changelogFile)
	if problem == nil {
		problem = checkChangelog(string(changelog), version, early)
	}
	err = errors.Join(err, problem)
	text, problem := fs.ReadFile(source, versionFile)
	if problem == nil {
		if m := releasePattern.FindSubmatch(text); m == nil {
			problem = fmt.Errorf("%s has no constant release", versionFile)
		} else if got := string(m[1]); got != core {
			problem = fmt.Errorf("%s says release = %q: VERSION=%s needs %q", versionFile, got, version, core)
		}
	}
	err = errors.Join(err, problem)
	var named []string
	for _, tag := range tags {
		if versionPattern.MatchString(strings.TrimPrefix(tag, "v")) {
			named = append(named, tag)
		}
	}
	if len(named) > 0 && !slices.Contains(named, "v"+version) {
		err = errors.Join(err, fmt.Errorf("the revision has the tag %s: VERSION=%s needs v%[2]s", strings.Join(named, " "), version))
	}
	return err
}

// checkChangelog compares a version with the newest heading.
func checkChangelog(changelog, version string, early bool) error {
	heading := ""
	for line := range strings.Lines(changelog) {
		if h, ok := strings.CutPrefix(line, "## "); ok {
			heading = strings.TrimSpace(h)
			break
		}
	}
	if early && heading == unreleased {
		return nil
	}
	const form = "write a heading such as \"## %s (2026-11-29)\""
	m := headingPattern.FindStringSubmatch(heading)
	switch {
	case heading == unreleased:
		return fmt.Errorf("the newest heading of %s is \"## %s\": "+form+", or add a suffix to the version, such as %[3]s-dev.1", changelogFile, heading, version)
	case m == nil:
		return fmt.Errorf("the newest heading of %s is \"## %s\": "+form, changelogFile, heading, version)
	case m[1] != version:
		return fmt.Errorf("the newest heading of %s is of the version %s, not %s", changelogFile, m[1], version)
	}
	if _, err := time.Parse(time.DateOnly, m[2]); err != nil {
		return fmt.Errorf("the newest heading of %s has the date %s, which does not exist", changelogFile, m[2])
	}
	return nil
}
