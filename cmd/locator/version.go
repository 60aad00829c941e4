package main

import (
	_ "embed" // for licenses
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"locator/internal/console"
	"locator/internal/jsontext"
	"locator/internal/manual"
)

// release is the version of this source, a semantic version without "v".
const release = "0.1.0"

// The linker sets these for a package: go build -ldflags "-X main.Version=1.2.3 -X main.Revision=1a2b3c4d -X main.Date=2026-11-20".
var (
	Version  string         // instead of release
	Revision string         // of a source without version control
	Date     = "2026-11-20" // of the release, for manual pages
)

// licenses has the licences of everything that is linked into the program. internal/licenses writes it.
//
//go:embed LICENSES
var licenses string

// build says what the program was built from.
type build struct {
	version  string // without the revision
	named    bool   // someone gave it this version: the linker, or the module that was downloaded
	revision string // of the source; "" if it is unknown
	time     string // of the revision, RFC 3339
	modified bool   // the source had uncommitted changes
}

func readBuild() build {
	info, _ := debug.ReadBuildInfo()
	return newBuild(Version, Revision, info)
}

// newBuild combines what the linker set with what the go command recorded; info may be nil.
func newBuild(version, revision string, info *debug.BuildInfo) build {
	b := build{version: version, named: version != "", revision: revision}
	if info == nil {
		info = new(debug.BuildInfo)
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.revision = s.Value
		case "vcs.time":
			b.time = s.Value
		case "vcs.modified":
			b.modified = s.Value == "true"
		}
	}
	// A checkout has the version "(devel)", or a pseudo-version that only repeats the revision.
	if v, ok := strings.CutPrefix(info.Main.Version, "v"); ok && !b.named && b.revision == "" {
		b.version, b.named = v, true
	}
	if b.version == "" {
		b.version = release
	}
	return b
}

// String returns the version and, if it is known, the revision: "0.1.0+1a2b3c4d5e6f".
func (b build) String() string {
	if b.revision == "" {
		return b.version
	}
	v := b.version + "+" + b.revision[:min(12, len(b.revision))]
	if b.modified {
		v += ".modified"
	}
	return v
}

// versionCommand prints the version.
func (a *app) versionCommand() *cobra.Command {
	var texts bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Example: "  locator version --json\n" +
			"  locator version --licenses",
		Long: "version prints the version, the revision of the source if it is known, the Go version and the platform. A program\n" +
			"that was built from an archive of the source does not know its revision, and says so.",
		Args: manual.Takes(0, 0),
		RunE: func(*cobra.Command, []string) error {
			if texts {
				_, err := fmt.Fprint(a.Out, licenses)
				return console.OutputError(err)
			}
			return a.printVersion()
		},
	}
	cmd.Flags().BoolVar(&texts, "licenses", false, "print the licences of the program and of everything that is linked into it")
	return cmd
}

// printVersion prints the version, as the verb and --version do.
func (a *app) printVersion() error {
	b := readBuild()
	if a.flags.JSON {
		line := jsontext.AppendText([]byte{'{'}, "version", b.version)
		line = jsontext.AppendFilled(line, "revision", b.revision)
		line = jsontext.AppendFilled(line, "time", b.time)
		line = jsontext.AppendBool(line, "modified", b.modified)
		line = jsontext.AppendText(line, "go", runtime.Version())
		line = jsontext.AppendText(line, "os", runtime.GOOS)
		line = append(jsontext.AppendText(line, "arch", runtime.GOARCH), '}', '\n')
		_, err := a.Out.Write(line)
		return console.OutputError(err)
	}
	unknown := ""
	if !b.named && b.revision == "" {
		unknown = " (source revision unknown)"
	}
	_, err := fmt.Fprintf(a.Out, "locator %v %s %s/%s%s\n", b, runtime.Version(), runtime.GOOS, runtime.GOARCH, unknown)
	return console.OutputError(err)
}
