package upload

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"locator"
	"locator/client"
	"locator/internal/atomicfile"
	"locator/internal/hint"
	"locator/internal/symlink"
	"locator/scheme"
	"locator/scheme/ability"
	"locator/transfer"
)

// TreeOptions say what Tree uploads and how. The zero value uploads one file after the other.
type TreeOptions struct {
	// Options are those of each file. Tree sets Events and Write.Modified. Append must be false.
	// With Write.CreateDirs, Tree also makes the directories above r.URL.
	Options
	Type     string             // media type of each file; "" if unknown
	List     scheme.ListOptions // of each listing; Max and Copy are ignored
	Queue    transfer.Queue
	Existing Existing // what happens to a file that the server has
	// Delete removes what the directory on the server has and the local folder does not, after
	// everything was uploaded without an error. Links stay, and what is in a directory that cannot
	// be listed completely. If more than MaxDelete files and folders would be removed, or, if that
	// is 0, more than ten and more than half of all, nothing is, and the error is CodeRefused. The
	// scheme must be a [scheme.Maker].
	Delete    bool
	MaxDelete int
	// Keep reports whether Delete leaves what only the server has, by its names below the folder;
	// nil keeps nothing. A directory stays if something in it does.
	Keep func(names []string, dir bool) bool
	// DryRun changes nothing on the server. Files and folders are reported as if they had been
	// stored, made and removed.
	DryRun bool
	// Want reports whether a file or folder is to be uploaded; nil wants all. Nothing in an
	// unwanted folder is.
	Want func(it Item) bool
	// Begin is called before the upload of a file, and returns its events; it may be nil. It is
	// called from several goroutines, as is Ended.
	Begin func(it Item) Events
	// Ended is called with the outcome of each upload, creation of a folder, and removal; it may be
	// nil.
	Ended func(it Item, r Result)
}

// Item is a file or folder below the folder of a Tree.
type Item struct {
	Names []string    // of the folders and itself; none is the folder of the tree
	URL   locator.URL // that of a folder ends in a slash
	Info  fs.FileInfo // nil if it cannot be read, or is not here
}

// Result is how the upload of an Item ended.
type Result struct {
	Action  Action
	Why     string  // of LeftOut
	Outcome Outcome // of Stored; Outcome.Resource is closed
	Err     error   // nil unless Action is Failed
}

// Action is what Tree did with an Item.
type Action uint8

// The actions.
const (
	Failed  Action = iota
	Stored         // the file was uploaded
	Current        // the server has the file already
	Made           // the folder was made
	LeftOut        // it is a link, a special file, or the index of a folder of downloads
	Removed        // only the server had it
)

var actionNames = [...]string{"failed", "stored", "current", "made", "left out", "removed"}

// String returns the name of the action.
func (a Action) String() string {
	if int(a) < len(actionNames) {
		return actionNames[a]
	}
	return "unknown"
}

// Tree uploads the files below the folder dir to the directory r.URL, and makes missing
// directories, empty ones too, if the scheme is a [scheme.Maker]. It follows no symbolic links
// below dir, and on the way to dir none that another user may have planted. Before it uploads the
// files of a folder it lists the directory on the server, and sends what TreeOptions.Existing says;
// where there is no listing, it asks for the attributes of each file. It goes on after failures,
// and returns the error of the first one.
func Tree(ctx context.Context, c *client.Client, r scheme.Request, dir string, o TreeOptions) error {
	t := &treeUpload{c: c, r: r, o: o, host: strings.ToLower(r.URL.Host()), dir: dir}
	o.List.Max, o.List.Copy = 0, nil
	top := Item{URL: r.URL}
	var err error
	if top.URL, err = r.URL.JoinPath(""); err != nil {
		top.URL = r.URL
		t.fail(top, scheme.Fail(scheme.CodeUsage, "%w", err))
		return t.first
	}
	if s, ok := c.Registry().Lookup(r.URL.Scheme()); ok && o.Delete && ability.Check(s, scheme.OpMakeDir) != nil {
		t.fail(top, scheme.Fail(scheme.CodeUnsupported, "scheme %s has no directories, so nothing can be removed from them", r.URL.Scheme()))
		return t.first
	}
	if t.root, err = symlink.OpenRoot(dir); err != nil {
		t.fail(top, scheme.Fail(scheme.CodeLocal, "%w", err))
		return t.first
	}
	defer t.root.Close()
	if t.top = top.URL; o.Delete {
		t.unwanted = make(map[string]bool)
	}
	o.Queue.Run(ctx, func(yield func(transfer.Job) bool) { t.folder(ctx, top, true, yield) })
	if o.Delete && ctx.Err() == nil {
		t.prune(ctx, top)
	}
	if err := ctx.Err(); err != nil && t.first == nil {
		return &scheme.Error{Op: scheme.OpReplace, URL: r.URL.Redacted(), Code: client.CodeOf(err), Hint: hint.Of(err), Err: err}
	}
	return t.first
}

// treeUpload is a running Tree.
type treeUpload struct {
	c    *client.Client
	r    scheme.Request
	o    TreeOptions
	host string
	top  locator.URL // of the folder; ends in a slash
	dir  string
	root *os.Root

	unwanted map[string]bool // the names of what is not uploaded, joined by slashes; nil unless Delete is set

	mu    sync.Mutex
	first error
}

func (t *treeUpload) ended(it Item, r Result) {
	if t.o.Ended != nil {
		t.o.Ended(it, r)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.first == nil {
		t.first = r.Err
	}
}

func (t *treeUpload) fail(it Item, err error) {
	var e *scheme.Error
	if !errors.As(err, &e) || e.URL == "" {
		err = &scheme.Error{Op: scheme.OpReplace, URL: it.URL.Redacted(), Code: client.CodeOf(err), Hint: hint.Of(err), Err: err}
	}
	t.ended(it, Result{Err: err})
}

// path returns the name of an item in the root.
func path(it Item) string { return filepath.Join(append([]string{"."}, it.Names...)...) }

// below returns an item of a folder. The URL of a folder ends in a slash.
func (t *treeUpload) below(it Item, name string, dir bool) (Item, error) {
	names := append(slices.Clone(it.Names), name)
	segments := names
	if dir {
		segments = append(slices.Clone(names), "")
	}
	u, err := t.top.JoinPath(segments...)
	return Item{Names: names, URL: u}, err
}

// folder uploads a folder: first its files, then the folders in it. there says that it may exist on
// the server. It reports whether more jobs are wanted.
func (t *treeUpload) folder(ctx context.Context, it Item, there bool, yield func(transfer.Job) bool) bool {
	entries, err := t.read(it)
	if err != nil {
		t.fail(it, scheme.Fail(scheme.CodeLocal, "%w", err))
		return true
	}
	var on *listing
	done := make(chan struct{})
	job := func(ctx context.Context, _ iter.Seq[locator.URL]) {
		defer close(done)
		on = t.open(ctx, it, entries, there)
	}
	if !yield(transfer.Job{Host: t.host, Do: job}) { // counts for the limits of the queue
		return false
	}
	select {
	case <-done:
	case <-ctx.Done():
		return false
	}
	if on == nil {
		return true
	}
	var folders []Item
	for _, e := range entries {
		sub, ok := t.item(it, e)
		switch {
		case !ok:
		case e.IsDir():
			folders = append(folders, sub)
		case !t.file(sub, on, yield):
			return false
		}
	}
	for _, sub := range folders {
		there, err := on.mayHaveFolder(sub)
		if err != nil {
			t.fail(sub, err)
		} else if !t.folder(ctx, sub, there, yield) {
			return false
		}
	}
	return true
}

// read returns the entries of a local folder, sorted by name.
func (t *treeUpload) read(it Item) ([]fs.DirEntry, error) {
	h, err := t.root.Open(path(it))
	if err != nil {
		return nil, err
	}
	defer h.Close()
	entries, err := h.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

// item returns the item of an entry. ok is false if it is not uploaded.
func (t *treeUpload) item(in Item, e fs.DirEntry) (it Item, ok bool) {
	it, err := t.below(in, e.Name(), e.IsDir())
	if err != nil {
		t.fail(Item{Names: append(slices.Clone(in.Names), e.Name()), URL: in.URL}, scheme.Fail(scheme.CodeUsage, "%w", err))
		return it, false
	}
	if it.Info, err = t.root.Lstat(path(it)); errors.Is(err, fs.ErrNotExist) { // removed in the meantime
		return it, false
	} else if err != nil {
		t.fail(it, scheme.Fail(scheme.CodeLocal, "%w", err))
		return it, false
	}
	if t.o.Want != nil && !t.o.Want(it) {
		t.skip(it)
		return it, false
	}
	why := ""
	switch mode := it.Info.Mode(); {
	case mode&fs.ModeSymlink != 0:
		why = "it is a symbolic link"
	case !mode.IsRegular() && !mode.IsDir():
		why = "it is not a regular file"
	case e.Name() == atomicfile.IndexName:
		why = "it is the index of a folder of downloads"
	}
	if why != "" {
		t.skip(it)
		t.ended(it, Result{Action: LeftOut, Why: why})
	}
	return it, why == ""
}

// skip remembers that an item is not uploaded.
func (t *treeUpload) skip(it Item) {
	if t.unwanted != nil {
		t.unwanted[strings.Join(it.Names, "/")] = true
	}
}

// file uploads a file unless the listing shows that the server has it. It reports whether more jobs
// are wanted.
func (t *treeUpload) file(it Item, on *listing, yield func(transfer.Job) bool) bool {
	known, sure, err := on.attr(it)
	if err != nil {
		t.fail(it, err)
		return true
	}
	if e := t.o.Existing; sure && e.isSettled(known, it.Info) && e.judge(known, it.Info) == keep {
		t.ended(it, Result{Action: Current})
		return true
	}
	return yield(transfer.Job{Host: t.host, URL: it.URL, Do: func(ctx context.Context, _ iter.Seq[locator.URL]) {
		t.upload(ctx, it, known, sure)
	}})
}

// upload uploads a file unless the server has it.
func (t *treeUpload) upload(ctx context.Context, it Item, known scheme.Attr, sure bool) {
	verdict, err := t.judge(ctx, it, known, sure)
	switch {
	case err != nil:
		t.fail(it, err)
		return
	case verdict == refuse:
		t.fail(it, scheme.Fail(scheme.CodeLocal, "%w", ErrNewer))
		return
	case verdict == keep:
		t.ended(it, Result{Action: Current})
		return
	case t.o.DryRun:
		t.ended(it, Result{Action: Stored})
		return
	}
	h, err := t.root.Open(path(it))
	if err == nil {
		defer h.Close()
		it.Info, err = h.Stat()
	}
	if err == nil && !it.Info.Mode().IsRegular() {
		err = errors.New("it is not a regular file any more")
	}
	if err != nil {
		t.fail(it, scheme.Fail(scheme.CodeLocal, "%w", err))
		return
	}
	o := t.o.Options
	o.Write.Modified = it.Info.ModTime()
	if t.o.Begin != nil {
		o.Events = t.o.Begin(it)
	}
	r := t.r
	r.URL = it.URL
	out, err := Put(ctx, t.c, r, scheme.Body{Reader: h, Size: scheme.Known(it.Info.Size()), Type: t.o.Type}, o)
	if err != nil {
		t.fail(it, err)
		return
	}
	out.Resource.Close()
	if out.UpToDate {
		t.ended(it, Result{Action: Current, Outcome: out})
		return
	}
	t.ended(it, Result{Action: Stored, Outcome: out})
}
