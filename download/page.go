package download

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"slices"
	"strings"

	"locator"
	"locator/scheme"
	"locator/tree"
)

// page stores the page of a listing; path are the names of its folder. The walk calls it, so it is
// never called twice at once.
func (m *mirror) page(at *scheme.Resource, path []string, page []byte) {
	u := at.URL.WithoutFragment()
	names := append(slices.Clone(path), m.c.ListingName(u))
	if m.present != nil { // even if it is not wanted in this run
		m.present.add(names, aFile)
	}
	v := tree.Visit{Entry: scheme.Entry{Name: names[len(path)], URL: u, Kind: scheme.KindObject, Attr: at.Attr}, Path: names}
	if m.o.NoListings || m.o.Want != nil && !m.o.Want(v) {
		return
	}
	m.pages[u.Text()] = true
	if strings.HasSuffix(u.Text(), "/") {
		m.pages[u.Text()+locator.Encode(names[len(path)])] = true
	}
	if m.o.DryRun != nil || m.hold(heldEntry{visit: v, names: names, isPage: true, page: page}) {
		return
	}
	m.keepPage(v, page)
}

// keepPage stores a page under the name that its folder has here.
func (m *mirror) keepPage(v tree.Visit, page []byte) {
	u := v.Entry.URL
	f, err := m.file(u, m.reserve(u, v.Path))
	if err == nil {
		defer f.Close()
		err = m.storePage(u, f, v.Entry.Attr, page)
	}
	if err != nil {
		m.fail(u, err)
	}
}

// isPage reports whether the file of an entry has been kept as the page of its folder.
//
// QUIRK: no RFC says that "index.html" is what a server sends for its folder. All servers that were
// measured do so, and a page often links to itself by that name.
func (m *mirror) isPage(v tree.Visit) bool { return m.pages[v.Entry.URL.Text()] }

// storePage stores a page if it differs from the file that exists. Options.Existing applies.
func (m *mirror) storePage(u locator.URL, f File, attr scheme.Attr, page []byte) error {
	x := &fetch{c: m.c, r: scheme.Request{URL: u}, f: f, o: m.o.Options, share: m.o.Quota.Share()}
	in, err := f.Root.Lstat(f.Name)
	if err == nil {
		switch {
		case m.o.Existing == Refuse:
			return x.withURL(x.exists(""))
		case in.Mode().IsRegular() && in.Size() == int64(len(page)) && x.holds(page):
			return nil
		case m.o.Existing == Update && !x.copied(in):
			return x.withURL(x.exists(x.difference()))
		}
	}
	if err := x.share.Charge(int64(len(page)), scheme.Count{}); err != nil {
		return x.withURL(err)
	}
	n, err := Write(f, m.o.Mode, func(w io.Writer) (int64, error) { return io.Copy(w, bytes.NewReader(page)) })
	if err != nil {
		return x.withURL(err)
	}
	if t := attr.Modified; !t.IsZero() {
		if err := f.Root.Chtimes(f.Name, t, t); err != nil {
			return x.withURL(f.local(err))
		}
	}
	if in, err = f.Root.Lstat(f.Name); err != nil {
		return x.withURL(f.local(err))
	}
	attr.Size = scheme.Known(n)
	sum := sha256.Sum256(page)
	x.remember(in, attr, hex.EncodeToString(sum[:]))
	if m.o.Kept != nil {
		m.o.Kept(f.Path(), n)
	}
	return nil
}

// holds reports whether the file that exists has these contents.
func (x *fetch) holds(page []byte) bool {
	h, err := x.f.Root.Open(x.f.Name)
	if err != nil {
		return false
	}
	defer h.Close()
	got, err := io.ReadAll(io.LimitReader(h, int64(len(page))+1))
	return err == nil && bytes.Equal(got, page)
}
