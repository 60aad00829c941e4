package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// Version is the semantic version of the program.
const Version = "0.1.0"

// versionDate is the release date of Version, for manual pages.
const versionDate = "2026-11-20"

// build is what the Go tool recorded when it built the program.
type build struct {
	revision string // of the source; "" if it is unknown
	time     string // of the revision, RFC 3339
	modified bool   // the source had uncommitted changes
}

func readBuild() build {
	var b build
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
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
	return b
}

// version returns the version and, if it is known, the revision: "0.1.0+1a2b3c4d5e6f".
func version() string {
	b := readBuild()
	if b.revision == "" {
		return Version
	}
	v := Version + "+" + b.revision[:min(12, len(b.revision))]
	if b.modified {
		v += ".modified"
	}
	return v
}

// versionCommand prints the version.
func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Long:  "version prints the version, the revision of the source if it is known, the Go version and the platform.",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			b := readBuild()
			if a.flags.json {
				line := appendText([]byte{'{'}, "version", Version)
				line = appendFilled(line, "revision", b.revision)
				line = appendFilled(line, "time", b.time)
				line = appendBool(line, "modified", b.modified)
				line = appendText(line, "go", runtime.Version())
				line = appendText(line, "os", runtime.GOOS)
				line = append(appendText(line, "arch", runtime.GOARCH), '}', '\n')
				_, err := a.Out.Write(line)
				return outputError(err)
			}
			_, err := fmt.Fprintf(a.Out, "locator %s %s %s/%s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return outputError(err)
		},
	}
}
