package main

import (
	_ "embed" // for licenses
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"locator/internal/buildinfo"
	"locator/internal/console"
	"locator/internal/manual"
)

// release is the version of this source, a semantic version without "v".
const release = "0.1.0"

// The linker sets these for a package: go build -ldflags "-X main.Version=1.2.3 -X
// main.Revision=1a2b3c4d -X main.Date=2026-11-20".
var (
	Version  string // instead of release
	Revision string // of a source without version control
	Date     string // of the release, for manual pages, instead of that of the revision
)

// licenses has the licences of everything that is linked into the program. internal/licenses writes
// it.
//
//go:embed LICENSES
var licenses string

func readBuild() buildinfo.Info {
	info, _ := debug.ReadBuildInfo()
	return buildinfo.New(release, Version, Revision, info)
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
			"that was built from a copy of the source without git or release does not know its revision, and says so.",
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
		line := append(b.AppendJSON(nil, licenses), '\n')
		_, err := a.Out.Write(line)
		return console.OutputError(err)
	}
	unknown := ""
	if !b.Named && b.Revision == "" {
		unknown = " (source revision unknown)"
	}
	_, err := fmt.Fprintf(a.Out, "locator %v %s %s/%s%s\n", b, runtime.Version(), runtime.GOOS, runtime.GOARCH, unknown)
	return console.OutputError(err)
}
