package main

import (
	"fmt"
	"slices"
	"strings"
)

// platform is a system and a processor that the program is built for.
type platform struct {
	system, arch string // as GOOS and GOARCH
	setting      string // of the go command, for the processor
}

// platforms returns all of them. The settings are those that run on most processors.
func platforms() []platform {
	return []platform{
		{"linux", "amd64", "GOAMD64=v1"},
		{"linux", "arm64", "GOARM64=v8.0"},
		{"linux", "arm", "GOARM=7"},
		{"linux", "386", "GO386=sse2"},
		{"linux", "riscv64", "GORISCV64=rva20u64"},
		{"windows", "amd64", "GOAMD64=v1"},
		{"windows", "arm64", "GOARM64=v8.0"},
		{"darwin", "amd64", "GOAMD64=v1"},
		{"darwin", "arm64", "GOARM64=v8.0"},
		{"freebsd", "amd64", "GOAMD64=v1"},
		{"openbsd", "amd64", "GOAMD64=v1"},
	}
}

// String returns the name that users know, such as linux/armv7.
func (p platform) String() string {
	if p.arch == "arm" {
		return p.system + "/armv7"
	}
	return p.system + "/" + p.arch
}

// packed reports whether packages are made for the platform.
func (p platform) packed() bool {
	return p.system == "linux" && (p.arch == "amd64" || p.arch == "arm64")
}

// archive returns the name of the folder in the archive, and of the archive.
func (p platform) archive(version string) (folder, name string) {
	folder = "locator-" + version + "-" + strings.ReplaceAll(p.String(), "/", "-")
	if p.system == "windows" {
		return folder, folder + ".zip"
	}
	return folder, folder + ".tar.gz"
}

func (p platform) program() string {
	if p.system == "windows" {
		return "locator.exe"
	}
	return "locator"
}

// parsePlatforms returns the platforms that a list names, or all.
func parsePlatforms(list string) ([]platform, error) {
	all := platforms()
	names := strings.Fields(list)
	if len(names) == 0 {
		return all, nil
	}
	var wanted, known []string
	for _, p := range all {
		known = append(known, p.String())
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("PLATFORMS names %q: known are %s", name, strings.Join(known, " "))
		}
		wanted = append(wanted, name)
	}
	return slices.DeleteFunc(all, func(p platform) bool { return !slices.Contains(wanted, p.String()) }), nil
}
