package tree

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"locator/client"
	"locator/scheme"
)

// disk is a scheme with directories and files, by their paths; a directory ends in a slash.
type disk struct {
	fake
	names  map[string]bool
	denied string // a directory in which nothing can be made
	raced  string // a directory that another client makes after the first attempt
}

func (d *disk) MakeDir(_ context.Context, _ *scheme.Env, r scheme.Request) error {
	path, _ := r.URL.Path()
	name := strings.TrimSuffix(path, "/")
	above := name[:strings.LastIndexByte(name, '/')+1]
	switch {
	case d.names[name] || d.names[name+"/"]:
		return &scheme.Error{Code: scheme.CodeUsage, Err: fs.ErrExist}
	case above == d.denied:
		return scheme.Fail(scheme.CodeRefused, "not here")
	case above != "" && !d.names[above]:
		return scheme.Fail(scheme.CodeNotFound, "no %s", above)
	}
	d.names[name+"/"] = true
	if above = name + "/"; strings.HasPrefix(d.raced, above) && d.raced != above {
		d.names[d.raced] = true
	}
	return nil
}

func (d *disk) Attributes(_ context.Context, _ *scheme.Env, r scheme.Request, _ scheme.AttributesOptions) (*scheme.Resource, error) {
	if path, _ := r.URL.Path(); !d.names[path] {
		return nil, scheme.Fail(scheme.CodeNotFound, "no %s", path)
	}
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindListing}, nil
}

func TestMakeDirAll(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		path          string
		before, after string
		denied, raced string
		code          scheme.Code
		exist         bool
	}{
		{path: "a", after: "a/"},
		{path: "a/b/c", after: "a/ a/b/ a/b/c/"},
		{path: "a/b/c/", before: "a/", after: "a/ a/b/ a/b/c/"},
		{path: "a/b", before: "a/ a/b/", after: "a/ a/b/"},
		{path: "a/b", before: "a/ a/b", after: "a/ a/b", code: scheme.CodeUsage, exist: true},
		{path: "a/b", before: "a", after: "a", code: scheme.CodeUsage, exist: true},
		{path: "a/b/c", raced: "a/b/", after: "a/ a/b/ a/b/c/"},
		{path: "a/b", raced: "a/b/", after: "a/ a/b/"},
		{path: "a/b", raced: "a/b", after: "a/ a/b", code: scheme.CodeUsage, exist: true},
		{path: "a/b/c", before: "a/", denied: "a/", after: "a/", code: scheme.CodeRefused},
	} {
		d := &disk{fake: fake{"ftp"}, names: make(map[string]bool), denied: test.denied, raced: test.raced}
		for name := range strings.FieldsSeq(test.before) {
			d.names[name] = true
		}
		if d.denied == "" {
			d.denied = "none"
		}
		c := client.New(client.Options{Registry: scheme.NewRegistry(d), Policy: &asked{}})
		err := MakeDirAll(t.Context(), c, scheme.Request{URL: parse("ftp://h/" + test.path)})
		if client.CodeOf(err) != test.code || errors.Is(err, fs.ErrExist) != test.exist || test.exist && !strings.Contains(err.Error(), "a file has this name") {
			t.Errorf("%+v: %v", test, err)
		}
		if got := strings.Join(slices.Sorted(maps.Keys(d.names)), " "); got != test.after {
			t.Errorf("%+v: there is %q", test, got)
		}
		c.Close()
	}
}
