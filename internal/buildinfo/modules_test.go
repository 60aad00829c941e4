package buildinfo

import (
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"
	"testing"
)

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
	if info.Deps[0].Sum != "" {
		t.Error("Modules has changed its argument")
	}
}

func TestAppendJSON(t *testing.T) {
	t.Parallel()
	info := &debug.BuildInfo{Deps: []*debug.Module{
		{Path: "example.org/a", Version: "v1.2.3"},
		{Path: "example.org/b", Version: "v1.0.0", Replace: &debug.Module{Path: "../b"}},
	}}
	licenses := "\n" + RuleOfLicenses + "example.org/a v1.2.3 h1:a=\n" + RuleOfLicenses + "\nMIT\n"
	system := fmt.Sprintf(`"modified":false,"go":%q,"os":%q,"arch":%q,`, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	want := `{"version":"1.0.0","revision":"1a2b","time":null,` + system + `"modules":[{"path":"example.org/a","version":"v1.2.3","sum":"h1:a=","replace":null},` +
		`{"path":"example.org/b","version":"v1.0.0","sum":null,"replace":{"path":"../b","version":null,"sum":null}}]}`
	if got := string(New("1.0.0", "", "1a2b", info).AppendJSON(nil, licenses)); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	want = `{"version":"1.0.0","revision":null,"time":null,` + system + `"modules":[]}`
	if got := string(New("1.0.0", "", "", nil).AppendJSON(nil, licenses)); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
