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

// Tree returns a new copy of the tree of files that every test server serves.
func Tree() []File { return peer.Tree() }

// Fault is a fault that a test server can simulate.
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
	Unanswered  = peer.Unanswered
	Storm       = peer.Storm
)

// Harness describes a scheme package to the suite.
type Harness struct {
	Scheme scheme.Scheme
	// Others are registered with Scheme (such as https with http).
	Others []scheme.Scheme
	Start  func(t *testing.T) Server
	Faults []Fault // faults that the server of Start can simulate
	// Missing is a path that does not exist on the server. The default is {"no such file"}.
	Missing []string
	// Hostile are URLs that must be refused without a connection. "HOST" in them is replaced by the
	// server's host:port. If they contain an encoded CR, LF or NUL, it must not be sent even
	// without a policy.
	Hostile []string
	// Login returns a URL that requires the user "alice" and the password Password. It contains
	// both if the syntax of the scheme allows that. It is nil if the scheme has no logins.
	Login func(s Server) locator.URL
	// Password is the password of Login; the default is "s3cret-pw". It must not occur anywhere
	// else.
	Password string
	// Writable is a path where Replace must work; nil if the scheme does not support it.
	Writable []string
	// Text reports that Access of a .txt file may change its line ends or end mark. The suite then
	// normalizes them.
	Text bool

	// Stored returns the bytes of a file of Tree as the server stores them, if the protocol cannot
	// carry all bytes: an article of lines. It is nil if they are the contents of the file.
	Stored func(f File) string
	// Flat reports that the listing of a folder does not name the folders in it, such as that of a
	// newsgroup.
	Flat bool

	// NoReplies reports that the server answers a request with text and nothing else, as those of
	// finger and whois do: nothing says that a resource does not exist, and no line of the answer
	// has to be complete at any time. The suite checks that Missing is answered.
	NoReplies bool
	// Local reports that reading opens no connection (file, mailto). The suite checks this.
	Local bool
	// Titles reports that names in listings are display texts, as in a menu. The suite then
	// identifies entries by URL.
	Titles bool
	// Except maps the names of duties that are skipped to the reason. It is for real servers. Do
	// not use it for operations that the scheme does not support: the suite finds out by itself.
	Except map[string]string
	// Alone returns a URL that the server answers, for a scheme without files (telnet, mailto,
	// prospero). The duties about files are then skipped. It is nil for all other schemes.
	Alone func(s Server) locator.URL
	// Post returns a URL to which messages can be sent by Update, for a [bulk.Poster]; nil for all
	// others. Its server is a [peer.Mailbox].
	Post func(s Server) locator.URL
	// Session is set if the URL of Alone locates a session. The duties of sessions are then
	// checked.
	Session *Session
	// Referral returns a URL that the scheme refers to another one. It is nil if the scheme has no
	// referrals.
	Referral func(s Server) locator.URL
	// Unsafe are URLs of drafts, each with the name of a header field in it that a link must not
	// set. Access refuses the URL, or leaves the field out and says so.
	Unsafe map[string]string
	// Options changes the options of the suite's clients: root certificates, configured servers. It
	// may be nil.
	Options func(s Server, o *client.Options)
}

// Session describes the sessions of a scheme to the suite. Its server begins with output of its
// own, then answers each line with output that contains the line, and ends the session after the
// line "exit". Lines returns the lines that it received.
type Session struct {
	// Received returns all bytes that the server has received so far, as they came.
	Received func(s Server) []byte
	// Login returns the URL of a session with the user "alice" and the password "s3cret-pw". It is
	// nil if the URLs of the scheme have no login.
	Login func(s Server) locator.URL
}

// tree returns the files of Tree, with the bytes that the server stores.
func (h *Harness) tree() []File {
	files := Tree()
	for i, f := range files {
		files[i].Content = h.stored(f)
	}
	return files
}

// stored returns the bytes of a file of Tree that the server stores.
func (h *Harness) stored(f File) string {
	if h.Stored == nil {
		return f.Content
	}
	return h.Stored(f)
}

// password returns Password or its default.
func (h *Harness) password() string {
	if h.Password == "" {
		return loginPassword
	}
	return h.Password
}

// missing returns Missing or its default.
func (h *Harness) missing() []string {
	if len(h.Missing) == 0 {
		return []string{"no such file"}
	}
	return h.Missing
}
