package upload

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/client"
	"locator/internal/leaks"
	"locator/scheme"
	"locator/scheme/ftp"
	"locator/scheme/ftp/ftptest"
)

// listed is a target in the place of ftp with one file, whose listing and attributes may differ in
// how exact they are.
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

// A listing without a time zone settles nothing that a time zone could change: the server is asked
// for the exact time. If it does not tell it, a file that may be newer there is not replaced.
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

// linkLister is ftp with a listing that shows a directory as a link.
type linkLister struct {
	ftp.Scheme
	name string
}

func (l linkLister) List(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.ListOptions) (*scheme.Resource, error) {
	res, err := l.Scheme.List(ctx, env, r, o)
	if err != nil {
		return nil, err
	}
	all := res.Entries
	res.Entries = func(yield func(scheme.Entry, error) bool) {
		for e, err := range all {
			if e.Name == l.name {
				e.Target = "elsewhere"
			}
			if !yield(e, err) {
				return
			}
		}
	}
	return res, nil
}

// Tree with Delete removes what is gone from directories that are here, too, if the server says of
// each directory above that it is not empty, or does not allow its removal, or does not support it.
// It asks once for each.
//
// Covers: A15, P6
func TestTreeDeleteBelow(t *testing.T) {
	t.Parallel()
	sub := []string{"web", "sub"}
	for name, tt := range map[string]struct {
		options []ftptest.Option
		shown   string // as a link
		o       TreeOptions
		stays   bool
		asked   int // how often the removal of sub is tried
		code    scheme.Code
	}{
		"not empty":         {asked: 1},
		"no reason":         {options: []ftptest.Option{ftptest.RefuseFullDir("550 Remove directory operation failed.")}, asked: 1},
		"not supported":     {options: []ftptest.Option{ftptest.RefuseFullDir("501 Not possible")}, asked: 1},
		"not allowed":       {options: []ftptest.Option{ftptest.RefuseFullDir("550 Permission denied")}, stays: true, asked: 1, code: scheme.CodeLoginNeeded},
		"not now":           {options: []ftptest.Option{ftptest.RefuseFullDir("451 error")}, stays: true, asked: 1, code: scheme.CodeUnavailable},
		"a link":            {options: []ftptest.Option{ftptest.LinkedDir(sub, []string{"keep"}, "550 ENOTDIR: not a directory", "550 ENOTDIR: not a directory")}, stays: true, asked: 1, code: scheme.CodeLoginNeeded},
		"a link is removed": {options: []ftptest.Option{ftptest.LinkedDir(sub, []string{"keep"}, "250 Removed", "250 Removed")}, stays: true, asked: 1, code: scheme.CodeUnsupported},
		"shown as a link":   {shown: "sub", stays: true},
		"a dry run":         {o: TreeOptions{DryRun: true}, stays: true},
		"too many":          {o: TreeOptions{MaxDelete: 1}, stays: true, code: scheme.CodeLocal},
		"too many, dry":     {o: TreeOptions{MaxDelete: 1, DryRun: true}, stays: true, code: scheme.CodeLocal},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := newFTPTest(t, tt.options...)
			for _, file := range []string{"a", "sub/c", "sub/deep/c"} {
				x.write(file, "here")
			}
			if _, err := x.upload(TreeOptions{}, nil); err != nil {
				t.Fatal(err)
			}
			if tt.shown != "" {
				l := leaks.Watch(t)
				x.c = client.New(client.Options{Registry: scheme.NewRegistry(linkLister{ftp.New(), tt.shown}), Dial: l.Dial(nil), TLSMode: scheme.TLSOff})
				l.Ends(x.c)
			}
			within := sub
			if strings.HasPrefix(name, "a link") {
				within = []string{"keep"}
			}
			deep := append(slices.Clone(within), "deep")
			x.Put(nil, time.Now(), append(slices.Clone(within), "gone")...)
			x.Put(nil, time.Now(), append(slices.Clone(deep), "gone")...)
			x.Put(nil, time.Now(), append(slices.Clone(deep), "more")...)
			tt.o.Delete = true
			actions, err := x.upload(tt.o, nil)
			if client.CodeOf(err) != tt.code {
				t.Errorf("%v, %v", actions, err)
			}
			for _, dir := range [][]string{within, deep} {
				if got := slices.Contains(x.Names(dir...), "gone"); got != tt.stays {
					t.Errorf("%q has %q: %v, %v", dir, x.Names(dir...), actions, err)
				}
			}
			if tt.o.DryRun && actions["sub/deep/gone"] != Removed {
				t.Errorf("the dry run tells %v", actions)
			}
			asked := 0
			for _, line := range x.Lines() {
				if verb, path, _ := strings.Cut(line, " "); (verb == "RMD" || verb == "DELE") && strings.HasSuffix(strings.TrimSuffix(path, "/"), "sub") {
					asked++
				}
			}
			if asked != tt.asked {
				t.Errorf("the removal of sub was tried %d times, want %d: %q", asked, tt.asked, x.Lines())
			}
		})
	}
}

// Tree with Delete removes what only the server has. It removes nothing after an error, behind a
// link, or where a listing does not show all that was uploaded.
//
// Covers: A15, P6
func TestTreeDelete(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		options []ftptest.Option
		before  func(x *ftpTest)
		after   func(x *ftpTest) error // when the file a has been uploaded
		o       TreeOptions
		left    []string // in web
		keep    []string // in keep; nil is b alone
		code    scheme.Code
	}{
		"what is gone":     {before: func(x *ftpTest) { x.Put(nil, time.Now(), "web", ".locator") }, left: []string{".locator", "a", "sub"}},
		"a dry run":        {o: TreeOptions{DryRun: true}, left: []string{"old", "theirs"}},
		"what is kept":     {o: TreeOptions{Keep: func(names []string, dir bool) bool { return !dir && names[len(names)-1] == "b" }}, left: []string{"a", "old", "sub"}},
		"an error":         {before: func(x *ftpTest) { x.Put(nil, time.Now().Add(time.Hour), "web", "a") }, left: []string{"a", "old", "sub", "theirs"}, code: scheme.CodeLocal},
		"not all is shown": {before: func(x *ftpTest) { x.TruncateLists(3) }, left: []string{"a", "old", "sub", "theirs"}, code: scheme.CodeUnsupported},
		"too many":         {o: TreeOptions{MaxDelete: 2}, left: []string{"a", "old", "sub", "theirs"}, code: scheme.CodeLocal},
		"no more":          {o: TreeOptions{MaxDelete: 3}, left: []string{"a", "sub"}},
		"an unread line":   {options: []ftptest.Option{ftptest.NoMLSD(), ftptest.NoNLST(), ftptest.Unreadable("theirs")}, left: []string{"a", "old", "sub", "theirs"}, code: scheme.CodeUnsupported},
		"a link":           {options: []ftptest.Option{ftptest.LinkedDir([]string{"web", "old"}, []string{"keep"}, "550 ENOTDIR: not a directory", "550 ENOTDIR: not a directory")}, left: []string{"a", "old", "sub"}, code: scheme.CodeLoginNeeded},
		"a link to a folder that is here": {options: []ftptest.Option{ftptest.LinkedDir([]string{"web", "sub"}, []string{"keep"}, "550 ENOTDIR: not a directory", "550 ENOTDIR: not a directory")},
			left: []string{"a", "sub"}, keep: []string{"b", "c"}, code: scheme.CodeLoginNeeded},
		"perhaps a link": {options: []ftptest.Option{ftptest.LinkedDir([]string{"web", "old"}, []string{"keep"}, "550 not a file", "451 error")}, left: []string{"a", "old", "sub"}, code: scheme.CodeUnavailable},
		"another name": {after: func(x *ftpTest) error { // as on a server that takes "A" and "a" for the same
			return x.c.Rename(x.t.Context(), scheme.Request{URL: x.URL("web", "a")}, x.URL("web", "A"))
		}, left: []string{"A", "old", "sub", "theirs"}, code: scheme.CodeUnsupported},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := newFTPTest(t, tt.options...)
			x.write("a", "here")
			x.write("sub/c", "here")
			if tt.before != nil {
				tt.before(x)
			}
			tt.o.Delete = true
			actions, err := x.upload(tt.o, tt.after)
			if client.CodeOf(err) != tt.code {
				t.Errorf("%v, %v", actions, err)
			}
			if got := x.Names("web"); !slices.Equal(got, tt.left) {
				t.Errorf("the server has %q, want %q: %v", got, tt.left, actions)
			}
			if got := strings.Join(x.Names("keep"), " "); got != cmp.Or(strings.Join(tt.keep, " "), "b") {
				t.Errorf("what the link leads to has %q", got)
			}
		})
	}
}
