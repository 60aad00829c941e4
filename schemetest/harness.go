package schemetest

import (
	"testing"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/schemetest/peer"
)

// Server is an in-process server that serves [Tree].
type Server = peer.Server

// File is a file of the common tree.
type File = peer.File

// Tree is the small tree that every test server serves. It is made anew at each call.
func Tree() []File { return peer.Tree() }

// Fault is a way in which a test server misbehaves, on order.
type Fault = peer.Fault

// The faults.
const (
	NoFault     = peer.NoFault
	Stall       = peer.Stall
	StallBody   = peer.StallBody
	Torn        = peer.Torn
	Short       = peer.Short
	EndlessLine = peer.EndlessLine
	EndlessList = peer.EndlessList
	Nonsense    = peer.Nonsense
	WrongCode   = peer.WrongCode
	Unavailable = peer.Unavailable
	Drip        = peer.Drip
)

// Harness tells the suite about a scheme package.
type Harness struct {
	Scheme scheme.Scheme
	// Others are registered beside it (such as https beside http).
	Others []scheme.Scheme
	Start  func(t *testing.T) Server
	Faults []Fault // that Start's server can show
	// Missing is a path that the server does not have. The default is {"no such file"}.
	Missing []string
	// Hostile are URLs that must be refused without a connection, "HOST" standing for the server's host:port. Those
	// that hold an encoded CR, LF or NUL must not reach the wire even where policy is switched off.
	Hostile []string
	// Login is a URL that the server gives to user "alice" with the password of Password alone, with both in it where its
	// syntax has a place for them; nil if the scheme has no logins.
	Login func(s Server) locator.URL
	// Password is that of Login; the default is "s3cret-pw". It must be a word that nothing else says.
	Password string
	// Writable is a path where Replace must work; nil if the scheme cannot.
	Writable []string
	// Text says that Access of a .txt file may change its line ends or end mark; compare after normalising.
	Text bool

	// Local says that the scheme opens no connection to read (file, mailto). The suite then sees to it that none is.
	Local bool
	// Titles says that the names in listings are texts for a person, as in a menu: entries are known by their URLs.
	Titles bool
	// Except names the duties that this server cannot show, each with the reason. It is for real servers, which do what
	// they do; what a scheme cannot do shows in its abilities and in the other fields.
	Except map[string]string
	// Alone is a URL that the server answers, for a scheme that has nothing like a tree (telnet, mailto, prospero). The
	// duties that are about files are then left out. It is nil for all others.
	Alone func(s Server) locator.URL
	// Options changes what the suite's clients are made with: roots of TLS, the configured servers of news. It may be nil.
	Options func(s Server, o *client.Options)
}

// password is the one that Login takes.
func (h *Harness) password() string {
	if h.Password == "" {
		return loginPassword
	}
	return h.Password
}

// missing is the path of a file that is not there.
func (h *Harness) missing() []string {
	if len(h.Missing) == 0 {
		return []string{"no such file"}
	}
	return h.Missing
}
