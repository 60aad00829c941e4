package download

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"golang.org/x/time/rate"

	"locator/client"
	"locator/internal/atomicfile"
	"locator/internal/hint"
	"locator/scheme"
	"locator/transfer"
)

// Options say how a resource is downloaded. The zero value downloads it once, and replaces a file
// that exists.
type Options struct {
	// Access holds the wishes about the access. Fetch sets Range and If, and where it needs them
	// Type and Detail.
	Access   scheme.AccessOptions
	Existing Existing // what happens to a file that exists
	// Resume continues a partial download of an earlier run, and keeps a complete file that is
	// current.
	Resume bool
	// IfNewer downloads only what was modified after the file that exists, or has another size in a
	// listing.
	IfNewer bool
	// SHA256 is the digest that the file must have, in hex; "" accepts any. It is CodeUsage if it
	// is not 64 hexadecimal digits.
	SHA256 string
	// WantSHA256 computes Outcome.SHA256 even if SHA256 is "".
	WantSHA256 bool
	// Verify compares the file with a checksum of the server, if it offers one; it may have to read
	// the whole resource for it. A resumed file is always compared.
	Verify bool
	// Retries is how often a download is tried again after it failed for a reason that may pass.
	Retries int
	// Mode are the permissions of a new file. 0 means those of the system for new files: 0666
	// without the umask. A file that replaces another has the permissions of that one; if that
	// belongs to another user, at most Mode. While it is incomplete, only the user can read it.
	Mode fs.FileMode
	// Rate limits the bytes per second of all downloads that share it; nil means no limit. Its
	// burst must be at least one byte.
	Rate *rate.Limiter
	// Quota limits the bytes of all downloads that share it; nil means no limit. Those of a
	// listing's page are counted after decompression.
	Quota  *transfer.Quota
	Events Events
}

// Events are functions that Fetch calls while it runs, from the goroutine of its caller. Each may
// be nil.
type Events struct {
	Begin    func(res *scheme.Resource, offset int64)         // a body begins; offset bytes are stored already
	Progress func(n int)                                      // n more bytes were stored
	Retry    func(err error, attempt int, wait time.Duration) // attempt failed, the next one begins after wait
	Note     func(text string)                                // a message for the user
}

// Outcome is the result of a download.
type Outcome struct {
	// Resource is what the access returned; nil after an error. An object is closed already. A
	// resource of another kind was not stored and is still open: the caller must Close it.
	Resource *scheme.Resource
	Bytes    int64  // size of the file
	SHA256   string // in lower-case hex, if the Options asked for it
	Resumed  bool   // a partial download was continued
	UpToDate bool   // the file that existed was kept
	Verified string // the algorithm of the server's checksum that the file was compared with, "" if there was none

	// These are set after an error.
	Kept      int64 // bytes of the partial download that are kept
	Resumable bool  // a later Fetch with Options.Resume can continue it
}

// Fetch downloads the resource at r.URL into f. The file gets its name when it is complete; until
// then a file of that name stays as it is. After an error the partial download is kept (see
// [File.PartPath]). The error is a *scheme.Error: those of [client.Client.Access], CodeLocal for
// this machine's file system, CodeBroken for a body that ended early or whose checksum is wrong.
func Fetch(ctx context.Context, c *client.Client, r scheme.Request, f File, o Options) (Outcome, error) {
	o.SHA256 = strings.ToLower(o.SHA256)
	x := &fetch{c: c, r: r, f: f, o: o, access: o.Access, share: o.Quota.Share()}
	if sum, err := hex.DecodeString(o.SHA256); err != nil || len(sum) != sha256.Size && o.SHA256 != "" {
		return Outcome{}, x.withURL(scheme.Fail(scheme.CodeUsage, "the SHA-256 must be %d hexadecimal digits", 2*sha256.Size))
	}
	defer x.close()
	if err := x.openEarlierPart(); err != nil {
		return Outcome{}, x.withURL(err)
	}
	if out, done, err := x.checkExisting(ctx); done {
		return out, x.withURL(err)
	}
	for attempt := 1; ; attempt++ {
		out, err := x.try(ctx)
		if err == nil {
			return out, nil
		}
		if attempt > o.Retries || !transfer.MayRetry(ctx, err, x.bodyBegun) || !transfer.BackOff(ctx, err, attempt, x.o.Events.Retry) {
			out.Kept, out.Resumable = x.keepPart()
			return out, x.withURL(err)
		}
	}
}

// fetch is one download with all its attempts.
type fetch struct {
	c      *client.Client
	r      scheme.Request
	f      File
	o      Options
	access scheme.AccessOptions // of a whole body

	part       *atomicfile.Part // nil until the first byte is due; it is locked
	state      state            // of the resource that part belongs to; zero if that is unknown
	stateSaved bool             // state is stored beside the part
	bodyBegun  bool             // a body has begun in this run
	share      *transfer.Share  // of the quota, for the bytes of the part
	asked      scheme.Attr      // of the resource, if they were asked for before the download; may be empty
	absent     bool             // no file had the name when the download began
	replaces   *stamp           // the file that had the name then
}

// withURL adds the operation and the URL to an error that does not have them; errors of the client
// do.
func (x *fetch) withURL(err error) error {
	if err == nil {
		return nil
	}
	var e *scheme.Error
	if errors.As(err, &e) && e.URL != "" {
		return err
	}
	named := &scheme.Error{Op: scheme.OpAccess, URL: x.r.URL.Redacted(), Code: client.CodeOf(err), Hint: hint.Of(err), Err: err}
	if e != nil {
		named.Reply, named.RetryAfter, named.Final, named.Err = e.Reply, e.RetryAfter, e.Final, e.Err
	}
	return named
}

func (x *fetch) note(format string, args ...any) {
	if x.o.Events.Note != nil {
		x.o.Events.Note(fmt.Sprintf(format, args...))
	}
}

// openEarlierPart sets the options of the access, and opens the part that an earlier run left if it
// may be resumed.
func (x *fetch) openEarlierPart() error {
	if x.o.IfNewer {
		in, err := x.f.Root.Stat(x.f.Name)
		if err == nil && in.Size() == x.o.Access.Known.Size.Or(in.Size()) {
			x.access.If.ModifiedSince = in.ModTime()
		}
	}
	if x.access.Type == 0 || x.o.Verify { // a file has the bytes of the server
		x.access.Type = 'i'
	}
	known := &x.access.Known // the file gets the exact time of the last change
	x.access.Detail = x.access.Detail || known.Modified.IsZero() || known.Precision != 0
	if !x.o.Resume {
		return nil
	}
	x.access.Type = 'i' // stable byte positions, whatever the caller wants
	s, ok := x.f.readState()
	if !ok || s.URL != x.r.URL.Redacted() || !s.Ranges {
		return nil
	}
	p, err := x.f.place().OpenPart(false, x.o.Mode)
	if errors.Is(err, os.ErrNotExist) { // the process was killed after the part got its final name
		return x.f.local(x.f.removeState())
	}
	if err != nil {
		return err
	}
	x.part, x.state, x.stateSaved = p, s, true
	return nil
}

// keepPart stores the state of the part, for a later run to resume. It removes an empty part.
func (x *fetch) keepPart() (kept int64, resumable bool) {
	if x.part == nil {
		return 0, false
	}
	if kept = x.part.Size(); kept == 0 {
		x.f.Root.Remove(x.f.partName())
		x.f.removeState()
		return 0, false
	}
	if x.state.Ranges && !x.stateSaved {
		x.stateSaved = x.f.writeState(x.state) == nil // without it a later run starts again
	}
	return kept, x.state.Ranges && x.stateSaved
}

// dropState makes sure that the part is never resumed.
func (x *fetch) dropState() error {
	x.state = state{}
	return x.f.local(x.f.removeState())
}

func (x *fetch) close() {
	if x.part != nil {
		x.part.Close()
	}
}
