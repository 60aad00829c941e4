package upload

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"locator"
	"locator/client"
	"locator/scheme"
)

// listed is a target in the place of ftp with one file, whose listing and attributes may differ in how exact they are.
type listed struct {
	target
	list, exact scheme.Attr
}

func (l *listed) Syntax() *locator.Syntax { return locator.SyntaxOf("ftp") }

func (l *listed) List(_ context.Context, _ *scheme.Env, r scheme.Request, _ scheme.ListOptions) (*scheme.Resource, error) {
	u, err := r.URL.JoinPath("file")
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindListing, Entries: func(yield func(scheme.Entry, error) bool) {
		yield(scheme.Entry{Name: "file", URL: u, Kind: scheme.KindObject, Attr: l.list}, nil)
	}}, err
}

func (l *listed) Attributes(_ context.Context, _ *scheme.Env, r scheme.Request, _ scheme.AttributesOptions) (*scheme.Resource, error) {
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindObject, Attr: l.exact}, nil
}

func (l *listed) MakeDir(context.Context, *scheme.Env, scheme.Request) error { return nil }

// A listing without a time zone settles nothing that a time zone could change: the server is asked for the exact time. If it does not
// tell it, a file that may be newer there is not replaced.
//
// Covers: A15
func TestTreeTimesWithoutZone(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC) // of the local file, which has 4 bytes
	at := func(hours float64, p time.Duration, size int64) scheme.Attr {
		return scheme.Attr{Size: scheme.Known(size), Precision: p, Modified: now.Add(time.Duration(hours * float64(time.Hour)))}
	}
	const minute, day, second = time.Minute, 24 * time.Hour, 0
	for name, tt := range map[string]struct {
		list, exact scheme.Attr
		existing    Existing
		sent        bool
		err         error
	}{
		"listed as newer, and is older":       {at(9, minute, 4), at(-0.5, second, 4), Update, true, nil},
		"listed today, and is older":          {at(-12, day, 4), at(-0.5, second, 4), Update, true, nil},
		"listed as older, and is newer":       {at(-5, minute, 9), at(0.5, second, 9), Update, false, ErrNewer},
		"same size":                           {at(-5, minute, 4), at(0.5, second, 4), Update, false, nil},
		"newer only, listed as older":         {at(-5, minute, 9), at(0.5, second, 9), Newer, false, nil},
		"no exact time, may be newer":         {at(-5, minute, 9), at(-5, minute, 9), Update, false, ErrNewer},
		"no exact time, may be newer by days": {at(-30, day, 9), at(-30, day, 9), Update, false, ErrNewer},
		"no exact time, older":                {at(-16, minute, 9), at(-16, minute, 9), Update, true, nil},
		"no exact time, older by days":        {at(-40, day, 9), at(-40, day, 9), Update, true, nil},
		"no exact time, newer":                {at(16, minute, 4), scheme.Attr{}, Update, false, nil},
		"replace":                             {at(16, minute, 4), at(16, second, 4), Replace, true, nil},
		"seconds":                             {at(-0.001, second, 4), scheme.Attr{}, Update, true, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			file := filepath.Join(dir, "file")
			if err := errors.Join(os.WriteFile(file, []byte("text"), 0o666), os.Chtimes(file, now, now)); err != nil {
				t.Fatal(err)
			}
			l := &listed{list: tt.list, exact: tt.exact}
			c := client.New(client.Options{Registry: scheme.NewRegistry(l)})
			defer c.Close()
			err := Tree(t.Context(), c, scheme.Request{URL: locator.MustParse("ftp://h/")}, dir, TreeOptions{Existing: tt.existing})
			if sent := slices.Equal(l.got, []string{"text"}); sent != tt.sent || !errors.Is(err, tt.err) || tt.err == nil && err != nil {
				t.Errorf("sent %q, %v", l.got, err)
			}
		})
	}
}
