package archive

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"os"
	"path/filepath"

	"locator"
	"locator/client"
	"locator/internal/symlink"
	"locator/scheme"
)

// OpenSeen opens the journal of the messages of the listing at u that were seen before, in a folder
// of the user that is made if it does not exist.
func OpenSeen(dir string, u locator.URL) (*Journal, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	root, err := symlink.OpenPrivate(dir) // its contents say which messages are left out
	if err != nil {
		return nil, err
	}
	root.Close()
	sum := sha256.Sum256([]byte(u.Canonical().Redacted()))
	return OpenJournal(filepath.Join(dir, hex.EncodeToString(sum[:8])+JournalSuffix))
}

// ListNew returns the entries of a listing that a journal does not have, records them when all have
// been yielded, and closes the journal. It calls opened with the listing before its entries.
func ListNew(ctx context.Context, c *client.Client, r scheme.Request, o scheme.ListOptions, j *Journal, opened func(list *scheme.Resource)) iter.Seq2[scheme.Entry, error] {
	return func(yield func(scheme.Entry, error) bool) {
		o.Have, o.Renumbered = j.Have(), j.Renumbered
		stopped := false
		list, err := c.List(ctx, r, &o)
		if err == nil {
			opened(list)
		}
		for e, err := range client.Entries(list, err) {
			switch {
			case err != nil || e.Kind == scheme.KindNote:
			case e.Position.List == "":
				err = scheme.Fail(scheme.CodeUnsupported, "the entries of this listing have no numbers")
			default:
				err = j.Add(e.Position, e.Attr.ID, "")
			}
			if stopped = !yield(e, err) || err != nil; stopped {
				break
			}
		}
		if err := j.Close(); err != nil && !stopped {
			yield(scheme.Entry{}, err)
		}
	}
}
