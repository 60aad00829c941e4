package scheme

import (
	"context"

	"locator"
	"locator/scheme/form"
)

// A Scheme accesses the resources of one URL scheme.
//
// An implementation must be safe for concurrent use. It must not store connections: use [Env.Keep]
// for idle connections. It must dial only with [Env.Dial], write command lines only with package
// wire, stop within a second when the context is done, and close the connections that it opened.
// Its errors must have a [Code] (see [Fail]) and must not contain a password. A body that is
// shorter than announced must end with an error.
type Scheme interface {
	// Syntax returns the URL syntax of the scheme. Its Name is the key in the [Registry].
	Syntax() *locator.Syntax

	// Access opens the resource at r.URL for reading (RFC 1738 section 2). Cancelling ctx also ends
	// the Body, Entries and Session of the Resource. The caller must Close the Resource.
	Access(ctx context.Context, env *Env, r Request, o AccessOptions) (*Resource, error)
}

// An Attributer can return the attributes of a resource without reading it. The result has no Body.
// It is a Referral if the resource is at another URL.
type Attributer interface {
	Attributes(ctx context.Context, env *Env, r Request, o AttributesOptions) (*Resource, error)
}

// A Lister can list the entries of a resource. The result is a Listing or a Referral. Its Entries
// may dial when they are ranged over. They must release connections if the loop breaks, and must
// end after the first error. A line that cannot be parsed is not dropped: it is an entry of
// KindNote with the text of the line as its Name.
type Lister interface {
	List(ctx context.Context, env *Env, r Request, o ListOptions) (*Resource, error)
}

// An Updater can add to a resource: FTP APPE, HTTP POST, a news article, a mail. It returns an
// error of code CodeInDoubt if the body was sent but no response came.
type Updater interface {
	Update(ctx context.Context, env *Env, r Request, b Body, o WriteOptions) (*Resource, error)
}

// A Replacer can replace the contents of a resource: FTP STOR, HTTP PUT. After an error the old or
// the complete new contents remain if the protocol allows that; otherwise the error says what may
// be left behind. It returns an error of code CodeInDoubt if the body was sent but no response
// came.
type Replacer interface {
	Replace(ctx context.Context, env *Env, r Request, b Body, o WriteOptions) (*Resource, error)
}

// A Resumer can continue a Replace that broke off. The data go into the file part beside the
// resource, which replaces the resource when it is complete and remains after an error. The body
// follows the first offset bytes, which the file must have. It is an error of code CodeBroken if
// the file has another size; an offset of 0 begins the file anew. If the server does not let files
// be renamed, an upload from 0 is written in the place of the resource, and what has arrived
// remains there.
type Resumer interface {
	Resume(ctx context.Context, env *Env, r Request, b Body, part string, offset int64, o WriteOptions) (*Resource, error)
}

// A Submitter can send the answers to a form.
type Submitter interface {
	// Submit sends the answers. If o.Form is nil, it requests the form first.
	Submit(ctx context.Context, env *Env, r Request, o SubmitOptions) (*Resource, error)
	// Fill returns the URL of the filled form (RFC 1738 3.4.2, 3.4.9). ok is false if the filled
	// form has no URL, if an answer is secret, or if f is nil and the scheme needs its State. It
	// sends nothing.
	Fill(r Request, f *form.Form, answers []form.Answer) (u locator.URL, ok bool)
}

// A Remover can remove a resource. If the resource does not exist, it returns an error of code
// CodeNotFound. It does not remove a directory that is not empty, unless the protocol leaves that
// to the server. Remove, Rename and MakeDir return an error of code CodeInDoubt if the request was
// sent but no response came. A URL that may come to name another resource is an error of code
// CodeUsage, whose Partial has the Attr of the one that it names now, and the URL that removes that
// one.
type Remover interface {
	Remove(ctx context.Context, env *Env, r Request) error
}

// A Renamer can rename a resource on a server. If the new URL exists, it returns an error of code
// CodeUsage that matches fs.ErrExist and changes nothing, unless the protocol has no way to check.
// Package client has checked that the new URL is on the same server, and ends in a slash only if
// the old one does.
type Renamer interface {
	Rename(ctx context.Context, env *Env, r Request, to locator.URL) error
}

// A Maker can create a directory in an existing one. If its URL exists, it returns an error of code
// CodeUsage that matches fs.ErrExist.
type Maker interface {
	MakeDir(ctx context.Context, env *Env, r Request) error
}

// A Digester can request a checksum of a resource from the server, which may have to read the
// resource. algorithm is one of "sha-256", "sha-512", "sha-1", "md5" and "crc32"; value is in
// lower-case hex. Both are "" if the server has none.
type Digester interface {
	Digest(ctx context.Context, env *Env, r Request) (algorithm, value string, err error)
}

// An Explainer can return the commands that an access to a URL would send, without using the
// network: "CONNECT host.dom:21", then the lines of the protocol. They must come from the code that
// also performs the access. Steps are escaped (wire.Escape). A password is shown as ****, and as
// "PASS ?" if it would be requested from the user. An error of code CodeRefused says why an access
// would send nothing. Nil steps and a nil error mean that there are no commands.
type Explainer interface {
	Steps(u locator.URL) ([]string, error)
}

// A FileNamer returns the file name for saving a URL, if that is not the last segment of its path.
// decoded reports that the file will be decoded (AccessOptions.Decode). The name comes from the URL
// and is not safe for a file system.
type FileNamer interface {
	FileName(u locator.URL, decoded bool) string
}

// A ListingNamer returns the file name for the bytes of the listing at u, in the folder of its
// files: that of the page that servers send for a folder. The name comes from the URL and is not
// safe for a file system. A scheme whose listings are not files is not a ListingNamer.
type ListingNamer interface {
	ListingName(u locator.URL) string
}

// A RobotsChecker returns the URL of the robots.txt for u (RFC 9309), and the path of u that its
// rules match. It sends nothing.
type RobotsChecker interface {
	Robots(u locator.URL) (file locator.URL, path string, err error)
}

// A ProxyClient can send requests for URLs of any scheme to a proxy. SpeaksTo reports whether it
// supports proxies of a kind; [Env.Proxy] is then set.
type ProxyClient interface {
	SpeaksTo(proxyKind string) bool
}

// A ServerUser accesses URLs that name no server at the servers that the user configured
// ([Env].Servers).
type ServerUser interface {
	// ServerKind returns the kind of its servers, which schemes of the same kind share: "usenet"
	// for servers that speak NNTP, "mail" for those that take mail by SMTP to deliver it
	// (RFC 6409).
	ServerKind() string
	// Server returns the URL of a server for Env.Servers from what a user writes: host, host:port,
	// or a URL. The error has the code CodeUsage.
	Server(text string) (locator.URL, error)
}

// Op is the name of an operation, as used in errors.
type Op string

// The operations.
const (
	OpAccess     Op = "access"
	OpList       Op = "list"
	OpAttributes Op = "attributes"
	OpUpdate     Op = "update"
	OpReplace    Op = "replace"
	OpResume     Op = "resume"
	OpSubmit     Op = "submit"
	OpRemove     Op = "remove"
	OpRename     Op = "rename"
	OpMakeDir    Op = "mkdir"
	OpDigest     Op = "digest"
	OpDraft      Op = "draft"
	OpCheck      Op = "check"
	OpAccessAll  Op = "access all"
	OpDo         Op = "do"
)
