package locator

import "slices"

// Segments returns the decoded segments of the path of a hierarchical URL (RFC 1738 2.3). The last one is empty if the path
// ends in a slash. ok is false if the scheme has no such path.
func (u URL) Segments() (segments []string, ok bool) {
	v, ok := u.View().(interface{ segments() []string })
	if !ok {
		return nil, false
	}
	return v.segments(), true
}

func (v *FTP) segments() []string {
	if name, ok := v.Name.Get(); ok {
		return append(slices.Clone(v.Dirs), name)
	}
	return v.Dirs
}

func (v *HTTP) segments() []string { return v.Segments }

func (v *File) segments() []string { return v.Segments }
