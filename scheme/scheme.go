package scheme

import (
	"context"

	"locator"
)

// A Scheme gives access to the resources of one URL scheme.
//
// Every implementation is safe for concurrent use and holds no connection of its own: idle connections live behind
// [Env.Keep]. It dials only by [Env.Dial], writes command lines only by package wire, stops within a second when the
// context ends, and closes the connections that it opened. It returns errors that carry a [Code] (see [Fail]) and never
// a password. A body that is shorter than announced ends with an error.
type Scheme interface {
	// Syntax describes how the scheme is written. Its name is the key in the [Registry].
	Syntax() *locator.Syntax

	// Access reads what the URL locates (RFC 1738 section 2). The context governs the whole life of the Resource: its
	// Body, Entries and Session end with it. The caller must Close the Resource.
	Access(ctx context.Context, env *Env, r Request, o AccessOptions) (*Resource, error)
}

// An Attributer finds the attributes of a resource without reading it. The result has no Body. Its Kind is Referral where
// the resource is elsewhere.
type Attributer interface {
	Attributes(ctx context.Context, env *Env, r Request, o AttributesOptions) (*Resource, error)
}

// A Lister lists what a resource holds. The result is a Listing, or a Referral. Its Entries may dial when they are ranged
// over; they free what they hold on break, and end after the first error.
type Lister interface {
	List(ctx context.Context, env *Env, r Request, o ListOptions) (*Resource, error)
}

// An Updater adds to a resource: FTP APPE, HTTP POST, a news article, a mail. It returns an error of code CodeInDoubt
// where the body was sent and no answer came.
type Updater interface {
	Update(ctx context.Context, env *Env, r Request, b Body, o WriteOptions) (*Resource, error)
}

// A Replacer replaces the state of a resource: FTP STOR, HTTP PUT. After an error the old state stands, or the new one
// whole, wherever the protocol allows that; elsewhere the error says what may be left behind. It returns an error of
// code CodeInDoubt where the body was sent and no answer came.
type Replacer interface {
	Replace(ctx context.Context, env *Env, r Request, b Body, o WriteOptions) (*Resource, error)
}

// A Submitter sends the answers to a form. Where o.Form is nil, it asks for the form first.
type Submitter interface {
	Submit(ctx context.Context, env *Env, r Request, o SubmitOptions) (*Resource, error)
}

// A Filler writes a filled form as a URL (RFC 1738 3.4.2, 3.4.9). ok is false where no URL can stand for it, or where
// an answer is secret, or f is nil and the scheme needs its State. It sends nothing.
type Filler interface {
	Fill(r Request, f *Form, answers []Answer) (u locator.URL, ok bool)
}

// A Remover removes a resource. What is not there is an error of code CodeNotFound. A directory that is not empty stays,
// unless the protocol leaves that to the server. It returns an error of code CodeInDoubt where the request was sent and no
// answer came, and so do Rename and MakeDir.
type Remover interface {
	Remove(ctx context.Context, env *Env, r Request) error
}

// A Renamer gives a resource another URL on the same server. Where something has that URL, it returns an error of code
// CodeUsage that matches fs.ErrExist and changes nothing, unless the protocol gives no way to ask.
type Renamer interface {
	Rename(ctx context.Context, env *Env, r Request, to locator.URL) error
}

// A Maker makes a directory in one that is there. Where something has its URL, it returns an error of code CodeUsage that
// matches fs.ErrExist.
type Maker interface {
	MakeDir(ctx context.Context, env *Env, r Request) error
}

// A Digester asks for a checksum of a resource, which the server may have to read for it. The algorithm is one of
// "sha-256", "sha-512", "sha-1", "md5" and "crc32"; the value is in lower-case hex. Both are "" where the server has none.
type Digester interface {
	Digest(ctx context.Context, env *Env, r Request) (algorithm, value string, err error)
}

// An Explainer tells the dialogue that access to a URL would have, without a network: "CONNECT host.dom:21", then the
// lines that would be sent, in the words of the protocol. The code that makes the real dialogue makes it. Steps are
// escaped (wire.Escape). A password stands as ****, and as "PASS ?" where it would be asked for. An error of code
// CodeRefused says why access would send nothing; nil steps without an error mean that there is no dialogue.
type Explainer interface {
	Steps(u locator.URL) ([]string, error)
}

// A FileNamer names the file that a URL would be saved as, where that is not the last segment of its path. decoded says
// that the file would be unwrapped (AccessOptions.Decode). The name comes from the URL: it is not safe for a file system.
type FileNamer interface {
	FileName(u locator.URL, decoded bool) string
}

// A RobotsChecker knows where the servers of a scheme keep their robots.txt (RFC 9309), and the path of u that its rules
// speak of. It sends nothing.
type RobotsChecker interface {
	Robots(u locator.URL) (file locator.URL, path string, err error)
}

// A ProxyClient can send the requests of every scheme to a proxy of that kind, which [Env.Proxy] then names.
type ProxyClient interface {
	SpeaksTo(proxyKind string) bool
}

// Op names an operation, as errors do.
type Op string

// The operations.
const (
	OpAccess     Op = "access"
	OpList       Op = "list"
	OpAttributes Op = "attributes"
	OpUpdate     Op = "update"
	OpReplace    Op = "replace"
	OpSubmit     Op = "submit"
	OpRemove     Op = "remove"
	OpRename     Op = "rename"
	OpMakeDir    Op = "mkdir"
	OpDigest     Op = "digest"
	OpCheck      Op = "check"
	OpDo         Op = "do"
)

// abilities is the table of operations that not every scheme has, in the order in which they are shown.
var abilities = [...]struct {
	op  Op
	has func(Scheme) bool
}{
	{OpAccess, func(Scheme) bool { return true }},
	{OpList, is[Lister]},
	{OpAttributes, is[Attributer]},
	{OpUpdate, is[Updater]},
	{OpReplace, is[Replacer]},
	{OpRemove, is[Remover]},
	{OpRename, is[Renamer]},
	{OpMakeDir, is[Maker]},
	{OpSubmit, is[Submitter]},
	{OpDigest, is[Digester]},
}

// shown is how many of abilities have a word on the command line.
const shown = 8

func is[T any](s Scheme) bool { _, ok := s.(T); return ok }

// Abilities names the operations that s has, in the order access, list, attributes, update, replace, remove, rename, mkdir.
func Abilities(s Scheme) []string {
	var names []string
	for _, a := range abilities[:shown] {
		if a.has(s) {
			names = append(names, string(a.op))
		}
	}
	return names
}

// Able reports whether s has the operation. Operations without an ability of their own need none.
func Able(s Scheme, op Op) bool {
	for _, a := range abilities {
		if a.op == op {
			return a.has(s)
		}
	}
	return true
}
