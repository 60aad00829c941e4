package locator

import "slices"

// Below returns the URL of what lies at the decoded segments below base, a directory of a hierarchical scheme (RFC
// 1738 2.3). An empty last segment names a directory. A name at the end of base counts as a directory, and a search
// or typecode of base falls away. No segment is interpreted: ".." is a name like any other. For a scheme that is not
// hierarchical the error is a *SyntaxError.
func Below(base URL, segments ...string) (URL, error) {
	if len(segments) == 0 {
		return base, nil
	}
	switch v := base.View().(type) {
	case *FTP:
		w := FTP{Secure: v.Secure, Login: v.Login}
		all := v.Dirs
		if name, ok := v.Name.Get(); ok {
			all = append(slices.Clone(all), name)
		}
		all = join(all, segments)
		w.Dirs, w.Name = all[:len(all)-1], Some(all[len(all)-1])
		return Build(&w)
	case *HTTP:
		return Build(&HTTP{Secure: v.Secure, Login: v.Login, Segments: join(v.Segments, segments)})
	case *File:
		return Build(&File{Host: v.Host, Segments: join(v.Segments, segments)})
	case *NFS:
		return Build(&NFS{Hostport: v.Hostport, Relative: v.Relative, Segments: join(v.Segments, segments)})
	}
	return URL{}, &SyntaxError{
		Scheme: base.Scheme(), Rule: "schemepart", Section: "2.3",
		Msg:  "the scheme is not hierarchical: nothing lies below a URL of it",
		Hint: "use a URL of ftp, http, file or nfs",
	}
}

// join puts segments behind those of a directory, whose trailing empty segment is no name.
func join(dir, segments []string) []string {
	if n := len(dir); n > 0 && dir[n-1] == "" {
		dir = dir[:n-1]
	}
	return append(slices.Clone(dir), segments...)
}
