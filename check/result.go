package check

import (
	"strings"
	"time"
)

// A Verdict is what a check says of a URL.
type Verdict string

// The verdicts.
const (
	OK      Verdict = "ok"
	Moved   Verdict = "moved"   // it has moved permanently, and is at its new place
	Broken  Verdict = "broken"  // it leads to nothing
	Failing Verdict = "failing" // it leads to nothing, but did so before, and may again
	Blocked Verdict = "blocked" // the server refuses a program, or one without a login
	Unsure  Verdict = "unsure"  // nobody can say
	Skipped Verdict = "skipped" // it was not checked
)

// Verdicts returns the verdicts, best first.
func Verdicts() []Verdict { return []Verdict{OK, Moved, Broken, Failing, Blocked, Unsure, Skipped} }

// A Why is the reason for a verdict, as in the table of docs/cli.md.
type Why string

// The reasons.
const (
	WhyChanged     Why = "changed"     // ok: the content is not that of the run before
	WhyGone        Why = "gone"        // broken: the server says that it was removed
	WhyNotFound    Why = "not found"   // broken
	WhyLoop        Why = "loop"        // broken: redirects lead in a circle
	WhyMalformed   Why = "malformed"   // broken: it violates the grammar
	WhyName        Why = "name"        // broken: the host name does not exist; unsure: the look-up failed, or it existed before in the run
	WhyUnreachable Why = "unreachable" // broken: the host refuses connections; unsure: there is no way to it, or it answered before in the run
	WhyLogin       Why = "login"       // blocked
	WhyWall        Why = "wall"        // blocked: the server refuses programs
	WhyLimit       Why = "limit"       // blocked: the server asks for fewer requests
	WhyChallenge   Why = "challenge"   // blocked: the server wants a person, or a browser, to prove itself
	WhyTime        Why = "time"        // unsure: no response in time
	WhyServer      Why = "server"      // unsure: the server failed, or answers in a way that says nothing
	WhyFragment    Why = "fragment"    // unsure: the page is there, the fragment is not
	WhyCertificate Why = "certificate" // unsure: the certificate of the server is not trusted
	WhyLocal       Why = "local"       // unsure: this machine is the reason
	WhyUnsupported Why = "unsupported" // skipped: no such scheme here
	WhyExcluded    Why = "excluded"    // skipped: by a rule of the user, or by policy
	WhyRobots      Why = "robots"      // skipped: robots.txt forbids it
)

// A Result is what a run found out about a URL. Its JSON form is that of "check --json". Texts of
// servers in it are escaped for a terminal, and it has no password.
type Result struct {
	URL      string    `json:"url"` // as first written, without its password
	Verdict  Verdict   `json:"verdict"`
	Why      Why       `json:"why,omitempty"`
	Scheme   string    `json:"scheme,omitempty"`
	Status   string    `json:"status,omitempty"` // the protocol's reply code, such as "404" or "550"
	Reply    string    `json:"reply,omitempty"`  // the server's words
	Final    string    `json:"final,omitempty"`  // where redirects led to; empty without redirects
	To       string    `json:"to,omitempty"`     // Moved: the new place, which is before Final if temporary redirects follow
	Hops     []string  `json:"hops,omitempty"`   // the URLs on the way to Final
	Addr     string    `json:"addr,omitempty"`   // address and port of the server
	Type     string    `json:"type,omitempty"`   // media type
	Bytes    int64     `json:"bytes"`            // of the resource; -1 means unknown
	Modified time.Time `json:"modified,omitzero"`
	ETag     string    `json:"etag,omitempty"`
	Digest   string    `json:"digest,omitempty"` // SHA-256 in hex, where it was asked for
	MS       int64     `json:"ms"`               // of the last attempt
	Attempts int       `json:"attempts"`
	At       time.Time `json:"at,omitzero"` // when it was decided
	Note     string    `json:"note,omitempty"`
	Before   Verdict   `json:"before,omitempty"` // in the run before; empty if it was not in it
	Since    time.Time `json:"since,omitzero"`   // when the failures in a row began
	Fails    int       `json:"fails,omitempty"`  // runs in a row in which it failed
	Sources  []Place   `json:"sources,omitempty"`
	Memory   *Memory   `json:"-"` // what the history keeps; set by the Checker, kept by a Store
}

// New reports whether the verdict is not that of the run before.
func (r *Result) New() bool { return r.Verdict != r.Before }

// A Place is where a URL stands.
type Place struct {
	File   string `json:"file"`             // as named by the user; "-" is standard input; empty is the command line
	Line   int    `json:"line,omitempty"`   // from 1; 0 means unknown
	Column int    `json:"column,omitempty"` // in bytes, from 1; 0 means unknown
}

// Memory is what the history knows of a URL from the runs before.
type Memory struct {
	Verdict  Verdict   `json:"verdict"` // of the last run
	Why      Why       `json:"why,omitempty"`
	At       time.Time `json:"at"`              // of the last run
	Worked   time.Time `json:"worked,omitzero"` // when it was last OK or Moved; zero means never
	Fails    int       `json:"fails,omitempty"` // runs in a row in which it led to nothing
	Since    time.Time `json:"since,omitzero"`  // the first of these
	Bytes    int64     `json:"bytes,omitempty"` // of the content when it last worked; -1 means unknown
	Modified time.Time `json:"modified,omitzero"`
	ETag     string    `json:"etag,omitempty"`
	Digest   string    `json:"digest,omitempty"`
}

// ParseVerdict returns the verdict of that name.
func ParseVerdict(text string) (Verdict, bool) {
	for _, v := range Verdicts() {
		if strings.EqualFold(text, string(v)) {
			return v, true
		}
	}
	return "", false
}
