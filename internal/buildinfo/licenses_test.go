package buildinfo

import (
	"reflect"
	"runtime/debug"
	"testing"
)

func TestParseLicenses(t *testing.T) {
	t.Parallel()
	file := "The licences.\n\n" + RuleOfLicenses + "program\n" + RuleOfLicenses + "\nBSD\n====\n" +
		"\n" + RuleOfLicenses + "example.org/a v1.2.3 h1:aaa=\nx.js 6.0.0\nthe Go standard library\n" + RuleOfLicenses + "\nMIT\n"
	want := []License{
		{"program", "", "", "BSD\n====\n"}, {"example.org/a", "v1.2.3", "h1:aaa=", "MIT\n"}, {"x.js", "6.0.0", "", "MIT\n"},
		{"the Go standard library", "", "", "MIT\n"},
	}
	if got := ParseLicenses(file); !reflect.DeepEqual(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	if got := ParseLicenses("no section"); got != nil {
		t.Errorf("%q", got)
	}
}

func TestModules(t *testing.T) {
	t.Parallel()
	fork := &debug.Module{Path: "example.org/fork", Version: "v1.0.0", Sum: "h1:fork="}
	info := &debug.BuildInfo{Deps: []*debug.Module{
		{Path: "example.org/a", Version: "v1.2.3"},
		{Path: "example.org/b", Version: "v1.0.0", Sum: "h1:own="},
		{Path: "example.org/c", Version: "v1.0.0", Replace: fork},
		{Path: "example.org/d", Version: "v1.0.0"},
	}}
	licenses := []License{
		{Module: "example.org/a", Version: "v1.2.3", Sum: "h1:aaa="}, {Module: "example.org/b", Version: "v1.0.0", Sum: "h1:bbb="},
		{Module: "example.org/c", Version: "v1.0.0", Sum: "h1:ccc="}, {Module: "example.org/d", Version: "v2.0.0", Sum: "h1:ddd="},
	}
	want := []debug.Module{
		{Path: "example.org/a", Version: "v1.2.3", Sum: "h1:aaa="}, {Path: "example.org/b", Version: "v1.0.0", Sum: "h1:own="},
		{Path: "example.org/c", Version: "v1.0.0", Replace: fork}, {Path: "example.org/d", Version: "v1.0.0"},
	}
	if got := Modules(info, licenses); !reflect.DeepEqual(got, want) {
		t.Errorf("%v\nwant %v", got, want)
	}
	if info.Deps[0].Sum != "" || Modules(nil, licenses) != nil {
		t.Error("Modules has changed its argument, or found modules in nothing")
	}
}
