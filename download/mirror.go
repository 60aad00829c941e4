package download

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"sync"

	"locator"
	"locator/client"
	"locator/internal/hint"
	"locator/scheme"
	"locator/transfer"
	"locator/tree"
)

// MirrorOptions say what Mirror downloads and how. The zero value downloads all files, one at a
// time.
type MirrorOptions struct {
	// Options are those of each file. Mirror sets Access.Type, Access.NoSubmit, Access.Next and
	// Access.Known. Quota limits all files together; once it has refused a byte, Mirror begins no
	// other file and deletes nothing.
	Options
	Walk  tree.WalkOptions // Mirror sets Walk.Listing; Walk.LeftOut is also told of entries that turn out to be neither files nor folders
	Queue transfer.Queue
	// Prefix are the names of folders for the tree, in the Folder; such as a host and the folders
	// of its URL.
	Prefix []string
	// Delete removes the files that the Folder's index has from below the URL, and that no listing
	// has any more. A file that was changed here stays, and so do those of a folder whose listing
	// failed or was not understood. A file that became a folder, or the reverse, or a folder that
	// became a link, gets its name after that; if what had the name stays, the error is
	// ErrInTheWay.
	Delete bool
	// MaxDelete limits Delete: if more files would be removed, none is. 0 means half of the files
	// of the mirror, but at least 10.
	MaxDelete int
	// NoListings leaves out the pages of listings: menus of gopher, and indexes of http. Otherwise
	// each is a file in its folder, with the bytes as received, under the name of
	// [client.Client.ListingName].
	NoListings bool
	// EmptyFolders makes the folders that are empty on the server, too. Delete removes them again.
	EmptyFolders bool
	// DryRun, if not nil, is called for each file that would be downloaded. Mirror reads only
	// listings then and changes nothing; Deleted is called for the files that Delete would remove.
	// Without Delete the folder may be nil.
	DryRun func(v tree.Visit)
	// Kept is called for each page of a listing that was stored; it may be nil. Options.Events is
	// not.
	Kept func(path string, size int64)
	// Deleted is called for each file and folder that Delete removed; it may be nil.
	Deleted func(path string)
	// Linked is called for each symbolic link that was made, with its target; it may be nil. A link
	// on the server becomes one here if it is relative, leads to something in the mirror, and the
	// system has links. Otherwise the file that it leads to is downloaded.
	Linked func(u locator.URL, path, target string)
	// Unfollowed is called for each link that neither became a link nor leads to a file, with the
	// reason; it may be nil. Nothing is downloaded for it.
	Unfollowed func(u locator.URL, why string)
	// Want reports whether a file is to be downloaded; nil wants all. The names in Visit.Path are
	// the server's.
	Want func(v tree.Visit) bool
	// Fetch downloads one file; nil means [Fetch]. It is called from several goroutines.
	Fetch func(ctx context.Context, r scheme.Request, f File, o Options) (Outcome, error)
	// Failed is called for each listing and each file that failed, by several goroutines; it may be
	// nil.
	Failed func(u locator.URL, err error)
}

// Mirror downloads the files that a walk from r.URL finds (see [tree.Walk]) into the folder to. If
// r.URL has no listing but is a file, Mirror downloads that. It goes on after failures, and returns
// the error of the first one. The errors are those of [Fetch], [Folder.File] and
// [client.Client.List].
func Mirror(ctx context.Context, c *client.Client, r scheme.Request, to *Folder, o MirrorOptions) error {
	m := &mirror{c: c, r: r, to: to, o: o, pages: make(map[string]bool),
		links:     linkSet{room: maxLinks, at: make(map[string]int), entered: make(map[string]bool), renamed: make(map[string]string)},
		obstacles: obstacles{room: maxObstructed, folders: make(map[string]bool), told: make(map[string]bool)}}
	if m.o.Fetch == nil {
		m.o.Fetch = func(ctx context.Context, r scheme.Request, f File, o Options) (Outcome, error) {
			return Fetch(ctx, c, r, f, o)
		}
	}
	m.o.Access.Type, m.o.Access.NoSubmit = 'i', true
	s := o.Queue.Schedule(ctx)
	o.Walk.Page = m.page
	o.Walk.Listing = func(u locator.URL) func() { return s.Hold(hostOf(u)) }
	o.Walk.Enter = m.enter
	if o.Delete {
		m.present = observe(&o.Walk)
	}
	if o.EmptyFolders {
		m.findEmpty(&o.Walk)
	}
	s.Run(func(yield func(transfer.Job) bool) {
		for v := range m.files(ctx, o.Walk) {
			if o.Quota.Exhausted() {
				return
			}
			switch {
			case v.Err != nil:
				m.fail(v.Entry.URL, v.Err)
				continue
			case m.isPage(v):
				continue
			case m.links.isCandidate(v) && m.links.hold(v) && o.DryRun == nil:
				continue
			case o.DryRun != nil:
				if v.Entry.Kind != scheme.KindListing {
					o.DryRun(v)
				}
				continue
			case v.Entry.Kind == scheme.KindListing:
				m.unfollowed(v.Entry.URL, toFolder)
				continue
			}
			if m.hold(heldEntry{visit: v, names: m.names(v)}) {
				continue
			}
			if !yield(m.job(v)) {
				return
			}
		}
	})
	if err := ctx.Err(); err != nil && m.first == nil {
		return &scheme.Error{Op: scheme.OpAccess, URL: r.URL.Redacted(), Code: client.CodeOf(err), Hint: hint.Of(err), Err: err}
	}
	if m.present != nil && ctx.Err() == nil && !o.Quota.Exhausted() {
		if err := m.prune(); err != nil {
			m.fail(r.URL, err)
		}
	}
	if o.DryRun == nil {
		m.downloadHeld(ctx)
		m.makeEmpty()
		m.makeLinks(ctx)
	}
	return m.first
}

// hostOf returns the Job.Host of a URL.
func hostOf(u locator.URL) string { return strings.ToLower(u.Host()) }

// enter reports whether the walk enters a listing. It does not enter a link that may lead to
// something in the mirror.
func (m *mirror) enter(v tree.Visit) bool {
	if m.o.Walk.Enter != nil && !m.o.Walk.Enter(v) {
		return false
	}
	if m.links.isCandidate(v) {
		return false
	}
	if v.Entry.Target != "" {
		m.links.entered[strings.Join(v.Path, "\x00")] = true
	}
	m.filled = true
	return true
}

// files walks from r.URL and yields the files to download, the links, and the listings that failed,
// which have Err set.
func (m *mirror) files(ctx context.Context, walk tree.WalkOptions) iter.Seq[tree.Visit] {
	return func(yield func(tree.Visit) bool) {
		first := true
		for v := range tree.Walk(ctx, m.c, m.r, walk) {
			m.seen(v)
			name := ""
			if v.Err != nil && first && len(v.Path) == 0 && client.CodeOf(v.Err) == scheme.CodeUnsupported && !errors.Is(v.Err, tree.ErrIncomplete) {
				name = m.c.FileName(m.r.URL, false)
			}
			first = false
			switch {
			case name != "": // r.URL itself, which is a file
				v.Entry.Kind, v.Path, v.Err = scheme.KindObject, []string{name}, nil
			case v.Err != nil:
			case !mayBeFile(v.Entry.Kind) && !m.links.isCandidate(v), m.o.Want != nil && !m.o.Want(v):
				continue
			}
			m.filled = true
			if !yield(v) {
				return
			}
		}
	}
}

// mayBeFile reports whether an entry of that kind can be downloaded into a file.
func mayBeFile(k scheme.Kind) bool { return k == scheme.KindObject || k == scheme.KindUnknown }

// mirror is a running Mirror.
type mirror struct {
	c  *client.Client
	r  scheme.Request
	to *Folder
	o  MirrorOptions

	present   *present // nil unless Delete is set
	links     linkSet
	obstacles obstacles
	empty     [][]string      // the paths of folders that are empty on the server
	filled    bool            // the listing that is being read has something to download
	pages     map[string]bool // the URLs under which the pages that were kept are files of their folders
	mu        sync.Mutex
	first     error
}

// fail reports a failure.
func (m *mirror) fail(u locator.URL, err error) {
	if m.o.Failed != nil {
		m.o.Failed(u, err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.first == nil {
		m.first = err
	}
}

// reserve chooses the name of the file with the server's names.
func (m *mirror) reserve(u locator.URL, names []string) Reserved {
	return m.to.Reserve(u, slices.Concat(m.o.Prefix, names))
}

// file opens the place that reserve has named. The caller must Close it.
func (m *mirror) file(u locator.URL, at Reserved) (File, error) {
	f, err := at.File()
	if err != nil {
		return f, err
	}
	f.from = keyOf(m.r.URL)
	if f.old.URL != "" { // it counted when it was new
		return f, nil
	}
	if err := m.o.Quota.AddName(2*len(f.inFolder) + len(u.Text()) + len(f.from)); err != nil {
		f.Close()
		return f, err
	}
	return f, nil
}

// job returns the job that downloads a file. It names the file, so that the order of the listings
// decides which of two files gets a number.
func (m *mirror) job(v tree.Visit) transfer.Job {
	at := m.reserve(v.Entry.URL, m.names(v))
	return transfer.Job{Host: hostOf(v.Entry.URL), URL: v.Entry.URL, Do: func(ctx context.Context, next iter.Seq[locator.URL]) {
		m.download(ctx, v, at, next)
	}}
}

// download downloads one file; next yields the URL of the next one on its server.
func (m *mirror) download(ctx context.Context, v tree.Visit, at Reserved, next iter.Seq[locator.URL]) {
	if m.o.Quota.Exhausted() {
		return
	}
	f, err := m.file(v.Entry.URL, at)
	if err != nil {
		m.fail(v.Entry.URL, err)
		return
	}
	defer f.Close()
	m.named(f, m.names(v))
	r := m.r
	r.URL, r.Within, r.From, r.Mirrors = v.Entry.URL, m.r.URL, v.From, v.Entry.MirrorURLs()
	o := m.o.Options
	o.Access.Next = next
	if v.Entry.Kind == scheme.KindObject { // the size and time of a link are its own
		o.Access.Known = v.Entry.Attr
	}
	out, err := m.o.Fetch(ctx, r, f, o)
	if client.CodeOf(err) == scheme.CodeNotFound && v.Entry.Target != "" {
		m.unfollowed(r.URL, toNothing)
		return
	}
	if err != nil {
		m.fail(r.URL, err)
		return
	}
	if out.Resource != nil && out.Resource.Kind != scheme.KindObject { // such as a link to a folder
		out.Resource.Close()
		switch kind := out.Resource.Kind; {
		case kind == scheme.KindListing && nameOnly(v.Entry):
			m.fail(r.URL, &scheme.Error{Op: scheme.OpAccess, URL: r.URL.Redacted(), Code: scheme.CodeUnsupported,
				Err: errors.New("it is a directory, which its listing does not say; download it by its own URL")})
		case kind == scheme.KindListing && v.Entry.Kind == scheme.KindUnknown && v.Entry.Target == "":
			m.unfollowed(r.URL, toUnnamed)
		case kind == scheme.KindListing && v.Entry.Kind == scheme.KindUnknown:
			m.unfollowed(r.URL, toFolder)
		case m.o.Walk.LeftOut != nil:
			m.o.Walk.LeftOut(r.URL, "it is a "+kind.String())
		}
	}
}

// Why links are not followed.
const (
	toFolder  = "the link leads to a folder that is not in the mirror; download it by its own URL"
	toUnnamed = "the link leads to a folder, and the server does not say to which; download it by its own URL"
	toNothing = "the link leads to nothing that the server shows"
)

// unfollowed reports a link that is not followed.
func (m *mirror) unfollowed(u locator.URL, why string) {
	if m.o.Unfollowed != nil {
		m.o.Unfollowed(u, why)
	}
}

// nameOnly reports whether a listing has nothing but the name of an entry. Of a link, at least the
// kind is known.
func nameOnly(e scheme.Entry) bool {
	a := &e.Attr
	return e.Target == "" && a.Modified.IsZero() && a.Mode == 0 && len(a.More) == 0
}

// names returns the server's names for a file and its folders. A file that Fetch unwraps has
// another name.
func (m *mirror) names(v tree.Visit) []string {
	last := len(v.Path) - 1
	if !m.o.Access.Decode || v.Path[last] != m.c.FileName(v.Entry.URL, false) {
		return v.Path
	}
	names := slices.Clone(v.Path)
	names[last] = m.c.FileName(v.Entry.URL, true)
	return names
}
