// Package bulk has the abilities of schemes that move messages: to send one, and to read all of a
// list in one operation.
package bulk

import (
	"context"

	"locator"
	"locator/scheme"
	"locator/scheme/message"
)

// An Accesser can read the objects of a listing in one operation, which takes fewer round trips
// than an Access of each: the articles of a newsgroup. The result is a Listing with Members, or a
// Referral. The URL of a single object is a listing of one.
//
// Members may dial when they are ranged over. They must hold no more than one object in memory,
// release connections if the loop breaks, and end after the first error. An object that the server
// lists and cannot send now is a member whose Body fails with CodeNotFound. It does not end the
// sequence.
type Accesser interface {
	AccessAll(ctx context.Context, env *scheme.Env, r scheme.Request, o Options) (*scheme.Resource, error)
}

// A Filterer can apply a [message.Filter] to listings and bulk accesses. A client refuses a filter
// for any other scheme.
type Filterer interface {
	// CheckFilter returns an error of CodeUsage if a part of f cannot be sent. It uses no network.
	CheckFilter(f message.Filter) error
}

// Options are the options of a bulk access.
type Options struct {
	Accept scheme.Accept
	Filter message.Filter
	// Have says what the caller has already, and is left out.
	Have []message.Have
	// Renumbered is called before the first member if the server has given new numbers to the
	// objects of a list: what the caller has of it is void, and is not left out. It may be nil.
	Renumbered func(list string)
}

// A Poster sends messages by its Update: mail, or news articles. The body of the Update is a
// message with its header lines; the scheme completes what is missing (From, Date, Message-ID) and
// refuses what the rules of [message.Draft.News] forbid. A complete message is sent as it is.
// Resource.Receipt, and that of Error.Partial, has the message-id.
type Poster interface {
	scheme.Updater
	// Draft returns what the URL says of a message to be sent there: the recipients, the newsgroup,
	// or the fields of a follow-up to an article. It sends nothing, but may ask the server about
	// the article.
	Draft(ctx context.Context, env *scheme.Env, r scheme.Request) (*message.Draft, error)
}

// A Linker can write a draft as a URL that its Access turns into that draft, for the user's mail
// program. It leaves out fields that a URL must not set. The error has the code CodeRefused if a
// field has a line end.
type Linker interface {
	Link(d *message.Draft) (locator.URL, error)
}
