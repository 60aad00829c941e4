// Package file accesses local file URLs (RFC 1738 3.10). It reads files and folders, returns
// attributes, replaces files atomically, appends to them, removes and renames them. A URL that
// names another host is an error, since file URLs have no network protocol.
//
// The decoded segments of the URL form a path of the operating system. Symbolic links are followed,
// but never out of Request.Within (see os.Root), which walks and io/fs set. Devices, pipes and
// sockets are never opened.
//
// RFCs: 1738 3.10; 8089 (no authority, drive letters).
package file
