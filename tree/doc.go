// Package tree handles trees of directories on servers: [Walk] lists one, [RemoveAll] removes one,
// and [MakeDirAll] makes a directory with those above it. [Patterns] and [Pattern] select files by
// their names, and [Robots] obeys robots.txt (RFC 9309).
//
//	for v := range tree.Walk(ctx, c, scheme.Request{URL: u}, tree.WalkOptions{}) {
//		...
//	}
package tree
