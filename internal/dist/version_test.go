package main

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestCheckVersion(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		version, heading, release, tags string
		want                            string // part of the error
	}{
		{"1.2.3", "## 1.2.3 (2026-11-29)", "1.2.3", "", ""},
		{"1.2.3", "## 1.2.3 (2026-11-29)", "1.2.3", "v1.2.3 other", ""},
		{"1.2.3", "## 1.2.3 (2026-11-29)", "1.2.3", "1.2.3", "has the tag 1.2.3: VERSION=1.2.3 needs v1.2.3"},
		{"1.2.3", "## 1.2.3 (2026-11-29)", "1.2.3", "v1.2.2", "has the tag v1.2.2"},
		{"1.2.3", "## 1.2.3 (2026-11-31)", "1.2.3", "", "the date 2026-11-31, which does not exist"},
		{"1.2.3", "## 1.2.4 (2026-11-29)\n\n## 1.2.3 (2026-11-28)", "1.2.3", "", "is of the version 1.2.4, not 1.2.3"},
		{"1.2.3", "## 1.2.3", "1.2.3", "", `is "## 1.2.3": write a heading such as "## 1.2.3 (2026-11-29)"`},
		{"1.2.3", "## Unreleased", "1.2.3", "", "or add a suffix to the version, such as 1.2.3-dev.1"},
		{"1.2.3", "### Unreleased", "1.2.3", "", `is "## ": write a heading`},
		{"1.2.3", "## 1.2.3 (2026-11-29)", "1.2.2", "", `cmd/locator/version.go says release = "1.2.2": VERSION=1.2.3 needs "1.2.3"`},
		{"1.2.3-dev.1", "## Unreleased", "1.2.3", "", ""},
		{"1.2.3-rc.1", "## 1.2.3-rc.1 (2026-11-29)", "1.2.3", "v1.2.3-rc.1", ""},
		{"1.2.3-rc.1", "## 1.2.3 (2026-11-29)", "1.2.3", "", "is of the version 1.2.3, not 1.2.3-rc.1"},
		{"1.2.3-rc.1", "## Unreleased", "1.2.2", "", `needs "1.2.3"`},
		{"1.2", "## 1.2 (2026-11-29)", "1.2", "", "is not a version"},
		{"1.02.3", "", "", "", "is not a version"},
		{"1.2.3+4", "", "", "", "is not a version"},
		{"1.2.3/../x", "", "", "", "is not a version"},
	} {
		source := fstest.MapFS{
			changelogFile: {Data: []byte("# Changes\n\n" + test.heading + "\n\nText.\n")},
			versionFile:   {Data: []byte("package main\n\nconst release = \"" + test.release + "\"\n")},
		}
		err := checkVersion(source, test.version, strings.Fields(test.tags))
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s, %s, %s, %s: %v; want %q", test.version, test.heading, test.release, test.tags, err, test.want)
		}
	}
	err := checkVersion(fstest.MapFS{versionFile: {Data: []byte("package main\n")}}, "1.2.3", nil)
	if err == nil || !strings.Contains(err.Error(), "CHANGELOG.md: file does not exist\n") || !strings.Contains(err.Error(), "has no constant release") {
		t.Errorf("a source without both: %v", err)
	}
}

// TestOwnVersion checks that the source of this module can be released with its version, or with a
// suffix.
func TestOwnVersion(t *testing.T) {
	t.Parallel()
	m := releasePattern.FindStringSubmatch(read(t, "../../"+versionFile))
	if m == nil {
		t.Fatal("no constant release")
	}
	changelog := read(t, "../../"+changelogFile)
	if early := checkChangelog(changelog, m[1]+"-dev.1", true); early != nil {
		if err := checkChangelog(changelog, m[1], false); err != nil {
			t.Errorf("%v\n%v", early, err)
		}
	}
}
