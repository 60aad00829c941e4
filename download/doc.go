// Package download stores resources in files: completely, or not at all.
//
// [Fetch] downloads one resource into a [File]. The data is written to NAME.part, and
// NAME.part.state describes the resource it belongs to. When the file is complete, it gets its
// name; until then, a file of that name stays as it is. After a failure the partial download is
// kept. With [Options.Resume] a later Fetch requests the rest and a few bytes of what is stored: if
// those or the validators differ (RFC 9110 8.8, RFC 3659 3 and 4), the resource has changed, and
// Fetch starts again. A partial download is locked, so that no two processes write to it.
//
//	c := client.New(client.Options{Registry: all.Registry()})
//	f, err := download.OpenFile("README")
//	...
//	defer f.Close()
//	out, err := download.Fetch(ctx, c, scheme.Request{URL: u}, f, download.Options{Retries: 2})
//
// A [Folder] chooses safe and unique names for many files, and [Mirror] downloads a tree into it.
// [Write] stores data from elsewhere in the same way.
package download
