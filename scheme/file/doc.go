// Package file accesses file URLs of this machine (RFC 1738 3.10): files, folders, attributes, atomic replacement,
// appending, removing and renaming. A URL that names another host is an error that says which: there is no protocol to ask it with.
//
// The segments of the URL are decoded and put together as a path of the operating system; symbolic links are followed
// as the system does, but out of no tree that a Request bounds (Request.Within, os.Root), as a walk and an io/fs do.
// Devices, pipes and sockets are never opened.
//
// RFCs: 1738 3.10; 8089 (no authority, drive letters).
package file
