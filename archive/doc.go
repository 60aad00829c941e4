// Package archive stores many messages, each of them once: in an mbox file (RFC 4155), a Maildir,
// or a file with a JSON object in each line. [Collect] reads the messages of a newsgroup into an
// [Archive]. A [Journal] records what was read, so that a later run reads only what is new.
//
//	a, err := archive.Open("box", archive.Mbox, archive.Options{})
//	...
//	defer a.Close()
//	done, err := archive.Collect(ctx, c, scheme.Request{URL: group}, a, archive.CollectOptions{Retries: 2})
package archive
