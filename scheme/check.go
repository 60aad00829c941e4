package scheme

import "context"

// A Checker can find out whether a resource is there with fewer bytes, or with more certainty, than
// by its attributes. The result is that of an [Attributer]. An error says what the resource is
// worth by its code: CodeLimited, CodeWall and CodeChallenge say nothing about the resource.
type Checker interface {
	Check(ctx context.Context, env *Env, r Request, o CheckOptions) (*Resource, error)
}

// CheckOptions are the options of a check. The zero value is ready to use.
type CheckOptions struct {
	If     Conditions // if the caller's copy is up to date, the result has NotModified set
	Accept Accept     // preferred representation
	Verify bool       // as in AttributesOptions
	// Body returns an Object with its Body, which the caller must close.
	Body bool
	// Thorough asks in the way that is sure, where a cheaper one may lead elsewhere; see Doubt.
	Thorough bool
	// Chain keeps what a scheme remembers from one redirect to the next, such as cookies, by a key
	// of its own. The client makes it.
	Chain map[any]any
}

// doubt is the key of what Doubt records.
type doubt struct{}

// Doubt records that a redirect in the chain answers a request that some servers treat in a way of
// its own. If the chain leads to nothing, the client follows it again with Thorough set.
func (o CheckOptions) Doubt() {
	if o.Chain != nil {
		o.Chain[doubt{}] = true
	}
}

// Doubted reports whether Doubt was called.
func (o CheckOptions) Doubted() bool { return o.Chain[doubt{}] != nil }
