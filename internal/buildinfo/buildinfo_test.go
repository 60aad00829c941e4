package buildinfo

import (
	"runtime/debug"
	"testing"
)

func TestNew(t *testing.T) {
	t.Parallel()
	const release = "0.1.0"
	settings := []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef"}, {Key: "vcs.time", Value: "2026-11-20T10:00:00Z"}}
	checkout := &debug.BuildInfo{Main: debug.Module{Version: "v0.0.0-20261120100000-0123456789ab"}, Settings: settings}
	changed := &debug.BuildInfo{Main: checkout.Main, Settings: append(settings[:2:2], debug.BuildSetting{Key: "vcs.modified", Value: "true"})}
	archive := &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}
	module := &debug.BuildInfo{Main: debug.Module{Version: "v1.4.0"}}
	for _, test := range []struct {
		name, version, revision string
		info                    *debug.BuildInfo
		want                    string
		named                   bool
	}{
		{"nothing known", "", "", nil, release, false},
		{"archive", "", "", archive, release, false},
		{"checkout", "", "", checkout, release + "+0123456789ab", false},
		{"changed checkout", "", "", changed, release + "+0123456789ab.modified", false},
		{"module", "", "", module, "1.4.0", true},
		{"stamped archive", "9.9.9", "", archive, "9.9.9", true},
		{"stamped archive with a revision", "9.9.9", "feed", archive, "9.9.9+feed", true},
		{"archive with a revision", "", "feed", archive, release + "+feed", false},
		{"stamped checkout", "9.9.9", "feed", checkout, "9.9.9+0123456789ab", true},
	} {
		got := New(release, test.version, test.revision, test.info)
		if got.String() != test.want || got.Named != test.named {
			t.Errorf("%s: %v, named %v; want %s, %v", test.name, got, got.Named, test.want, test.named)
		}
	}
	if got := New(release, "", "", checkout).Day() + New(release, "", "", nil).Day(); got != "2026-11-20" {
		t.Errorf("the day is %q", got)
	}
}
