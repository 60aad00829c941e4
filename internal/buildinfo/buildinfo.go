package buildinfo

import (
	"runtime/debug"
	"strings"
)

// Info says what the program was built from.
type Info struct {
	Version  string // without the revision
	Named    bool   // someone gave it this version: the linker, or the module that was downloaded
	Revision string // of the source; "" if it is unknown
	Time     string // of the revision, RFC 3339
	Modified bool   // the source had uncommitted changes

	build *debug.BuildInfo
}

// New combines the version of the source and what the linker set, if it did, with what the go
// command recorded; info may be nil.
func New(release, version, revision string, info *debug.BuildInfo) Info {
	if info == nil {
		info = new(debug.BuildInfo)
	}
	b := Info{Version: version, Named: version != "", Revision: revision, build: info}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.time":
			b.Time = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	// A checkout has the version "(devel)", or a pseudo-version that only repeats the revision.
	if v, ok := strings.CutPrefix(info.Main.Version, "v"); ok && !b.Named && b.Revision == "" {
		b.Version, b.Named = v, true
	}
	if b.Version == "" {
		b.Version = release
	}
	return b
}

// Day returns the date of the revision, such as "2026-11-20", or "" if it is unknown.
func (b Info) Day() string {
	day, _, _ := strings.Cut(b.Time, "T")
	return day
}

// String returns the version and, if it is known, the revision: "0.1.0+1a2b3c4d5e6f".
func (b Info) String() string {
	if b.Revision == "" {
		return b.Version
	}
	v := b.Version + "+" + b.Revision[:min(12, len(b.Revision))]
	if b.Modified {
		v += ".modified"
	}
	return v
}
