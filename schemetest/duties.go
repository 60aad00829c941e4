package schemetest

import (
	"slices"

	"locator/scheme"
	"locator/scheme/bulk"
)

// duty is a rule of the contract and its test.
type duty struct {
	name  string
	text  string              // the rule and where it is documented; failures cite it
	when  func(*Harness) bool // whether it applies; nil is always
	check func(*stage)
}

// duties returns the rules of the contract, ordered by topic: syntax, operations, cancellation,
// limits, faults, security, adapters.
func duties() []duty {
	return []duty{
		{"grammar", "locator.Syntax.Productions: the text and the parser agree", hasProductions, checkGrammar},
		{"round trip", "scheme.Scheme.Access: opens the resource at the URL for reading (RFC 1738 section 2)", hasTree, checkRoundTrip},
		{"answers", "scheme.Resource: Kind says which of the other fields are set", isAlone, checkAnswers},
		{"draft", "message.Draft: Access returns it, connects to nothing and sends nothing; no field has a line end", drafts, checkDraft},
		{"unsafe fields", "message.Draft: a link sets only fields that can do no harm (RFC 6068 4); what is left out is said", drafts, checkUnsafe},

		{"referral", "scheme.Resource: a Referral has Next, and Hop says what led there, so that the policy can judge it (P1)", hasReferral, checkReferral},
		{"missing", "scheme.Error: Op, URL (redacted) and Code; errors.Is finds fs.ErrNotExist for NotFound", hasTree, checkMissing},
		{"wishes", "scheme.AccessOptions: a scheme ignores options that its protocol does not support; Resource.Range and NotModified describe the result", hasTree, checkWishes},
		{"concurrent use", "scheme.Scheme: it is safe for concurrent use", hasTree, checkConcurrent},
		{"half a body", "scheme.Env.Keep: what goes back into the pool is fit for the next; Resource.Close frees what it holds", hasTree, checkHalf},
		{"late close", "scheme.Resource.Close: it may be called late and more than once, and never touches a connection that another access has", dialsTree, checkLateClose},
		{"close while reading", "scheme.Resource.Close: it may be called while another goroutine reads Body, and ends that Read within a second; a Read that was cut short returns an error", hasTree, checkCloseWhileReading},

		{"failing writer", "scheme.Resource.Body: WriteTo returns an error of the writer as it is, not as one of the server", hasTree, checkFailingWriter},

		{"list", "scheme.Lister: lists the entries of a resource; Entry.URL locates each, every byte of its name kept", lists, checkList},
		{"list and break", "scheme.Lister: releases connections if the loop breaks", lists, checkListBreak},
		{"list copy", "scheme.ListOptions.Copy: gets the bytes of the listing as received; if a write fails, the error has the code CodeLocal", both(lists, dials), checkListCopy},
		{"attributes", "scheme.Attributer: unknown attributes stay unknown, and what is known is right; the result has URL and Kind", finds, checkAttributes},
		{"replace", "scheme.Replacer: replaces the contents of a resource", replaces, checkReplace},
		{"update", "scheme.Updater: adds to a resource", updates, checkUpdate},
		{"remove", "scheme.Remover: what is removed is gone; what is not there is CodeNotFound", changes[scheme.Remover], checkRemove},
		{"rename", "scheme.Renamer: renames a resource; if the new URL exists, it changes nothing and the error matches fs.ErrExist", changes[scheme.Renamer], checkRename},
		{"mkdir", "scheme.Maker: creates a directory in an existing one; if it exists, the error matches fs.ErrExist", changes[scheme.Maker], checkMakeDir},
		{"sizes sent", "scheme.Body.Size: a body of another size than announced never succeeds", writes, checkSizesSent},
		{"no reader", "scheme.Body: a nil Reader is an empty body", writes, checkNoReader},
		{"sizes told", "scheme.Scheme: a body that is shorter than announced ends with an error", both(hasFault(Short), hasTree), checkSizesTold},
		{"commit", "scheme.Body.Commit: runs once, before the step after which the server may act; an error stops the operation", writes, checkCommit},
		{"post", "bulk.Poster: completes a message and sends it once; Receipt has its message-id; a complete message is sent as it is", posts, checkPost},
		{"post in doubt", "scheme.Updater: the error is CodeInDoubt if the body was sent but no response came; Error.Partial has the Receipt", both(posts, hasFault(Unanswered)), checkPostInDoubt},
		{"post vetoed", "scheme.Body.Commit: runs once, before the step after which the server may act; an error stops the operation", posts, checkPostVetoed},
		{"post refused", "bulk.Poster: nothing from a URL, a body or the configuration begins a header field or ends a message (P1, P2)", posts, checkPostRefused},
		{"steps", "scheme.Explainer: returns the commands that an access would send, from the code that performs it", explains, checkSteps},
		{"unsupported", "requirement A15: the error of an unsupported operation lists the supported ones", nil, checkUnsupported},

		{"session data", "session.Session: Read returns the server's output; Write sends the user's input; Read returns io.EOF when the server ends the session", isSession, checkSessionData},
		{"session close", "session.Session: Close ends a Read within a second; after it every method returns an error, and Modes is closed", isSession, checkSessionClose},
		{"session half", "session.Session.CloseWrite: ends the input; the server may continue to send", isSession, checkSessionHalf},
		{"session signals", "session.Session.Send: returns errors.ErrUnsupported if the protocol does not have the signal", isSession, checkSessionSignals},
		{"session concurrent", "session.Session: its methods are safe for concurrent use", isSession, checkSessionConcurrent},
		{"session storm", "session.Session: a server that asks without end neither blocks the session nor makes it send without end (P6)", both(isSession, hasFault(Storm)), checkSessionStorm},
		{"session secrets", "session.Session.Secret: the password of the URL is never sent and never logged (P3)", sessionLogin, checkSessionSecrets},

		{"cancelled before", "scheme.Scheme.Access: cancelling the context also ends the Resource", nil, checkCancelBefore},
		{"cancel a stall", stopText, hasFault(Stall), checkCancelStall},
		{"cancel a body", stopText, hasFault(StallBody), checkCancelBody},
		{"cancel a listing", stopText, both(hasFault(EndlessList), lists), checkCancelList},
		{"body after cancel", "scheme.Scheme.Access: the Body ends with the context", hasTree, checkBodyAfterCancel},

		{"limit idle", limitText + "Idle", hasFault(Stall), checkIdle},
		{"limit idle in a body", limitText + "Idle", hasFault(StallBody), checkIdleBody},
		{"limit body", limitText + "Body", hasTree, checkBodyLimit},
		{"limit entries", limitText + "Entries", lists, checkEntriesLimit},
		{"limit line", limitText + "Line and Header", hasFault(EndlessLine), checkLineLimit},
		{"limit line time", limitText + "LineTime and ReplyTime", both(dialsTree, replies), checkLineTime},
		{"limit listing", limitText + "Entries and Listing", both(hasFault(EndlessList), lists), checkListingLimit},

		{"torn", "scheme.CodeBroken: a body that ends early is an error that matches io.ErrUnexpectedEOF, never a short body", both(hasFault(Torn), hasTree), checkTorn},
		{"error that stays", "scheme.Scheme: no loop over what a server sends outlives an error of the connection", dialsTree, checkErrorStays},
		{"TLS cut", "wire.TLSClient: a connection that ends without close_notify, between two records too, never makes a short result", overTLS, checkTLSCut},
		{"nonsense", "scheme.CodeProtocol: the server violated the protocol", hasFault(Nonsense), checkNonsense},
		{"wrong code", "scheme.CodeProtocol: the server violated the protocol", hasFault(WrongCode), checkWrongCode},
		{"unavailable", "scheme.CodeUnavailable: the server is temporarily unavailable", hasFault(Unavailable), checkUnavailable},
		{"drip", "scheme.Limits.Idle: a slow server that makes progress does not time out", hasFault(Drip), checkDrip},

		{"policy", "scheme.Scheme: it dials only with Env.Dial, so that the policy checks each connection (P5)", nil, checkPolicy},
		{"policy refuses", "policy.Policy.Addr: an address that it refuses is not connected to (P5)", dials, checkPolicyRefuses},
		{"policy refuses the URL", "policy.Policy.URL: it is called before the URL is accessed (P1)", nil, checkPolicyURL},
		{"hostile", "policy.Policy and package wire: CR, LF and NUL of a URL never reach a command line (P1, P2, RFC 1738 6)", hasHostile, checkHostile},
		{"secrets", "requirement P3: no password in any error, trace or log (RFC 1738 6)", hasLogin, checkSecrets},

		{"file system", "client.Client.FS: the tree of a hierarchical scheme as io/fs", isHierarchical, checkFS},
		{"round tripper", "client.Client.Transport: an http.Client reads every scheme", hasTree, checkRoundTripper},
	}
}

const (
	stopText  = "scheme.Scheme: it stops within a second when the context is done, and closes the connections that it opened"
	limitText = "scheme.Limits limit the memory and time that a server can make a client use (P6): "
)

func hasTree(h *Harness) bool   { return h.Alone == nil }
func dialsTree(h *Harness) bool { return dials(h) && hasTree(h) }
func overTLS(h *Harness) bool   { return dialsTree(h) && h.Scheme.Syntax().TLS }
func isAlone(h *Harness) bool   { return h.Alone != nil }
func isSession(h *Harness) bool { return h.Session != nil }
func hasLogin(h *Harness) bool  { return h.Login != nil }
func dials(h *Harness) bool     { return !h.Local }
func replies(h *Harness) bool   { return !h.NoReplies }

func sessionLogin(h *Harness) bool { return isSession(h) && h.Session.Login != nil }

func hasReferral(h *Harness) bool { return h.Referral != nil }

// hasHostile reports whether the hostile URLs are tested. A scheme that dials must have some.
func hasHostile(h *Harness) bool { return !h.Local || len(h.Hostile) > 0 }

func hasProductions(h *Harness) bool { return h.Scheme.Syntax().Productions != "" }
func isHierarchical(h *Harness) bool { return hasTree(h) && h.Scheme.Syntax().Hierarchical }

func lists(h *Harness) bool    { return can[scheme.Lister](h.Scheme) && hasTree(h) }
func finds(h *Harness) bool    { return can[scheme.Attributer](h.Scheme) && hasTree(h) }
func replaces(h *Harness) bool { return can[scheme.Replacer](h.Scheme) && hasTree(h) }
func updates(h *Harness) bool {
	return can[scheme.Updater](h.Scheme) && hasTree(h) && h.Writable != nil
}

func posts(h *Harness) bool { return can[bulk.Poster](h.Scheme) && h.Post != nil }

func writes(h *Harness) bool { return replaces(h) || updates(h) }

// changes reports whether the scheme supports the operation A and has a writable path.
func changes[A any](h *Harness) bool { return can[A](h.Scheme) && writes(h) && h.Writable != nil }

func explains(h *Harness) bool { return can[scheme.Explainer](h.Scheme) }

func hasFault(f Fault) func(*Harness) bool {
	return func(h *Harness) bool { return slices.Contains(h.Faults, f) }
}

func both(a, b func(*Harness) bool) func(*Harness) bool {
	return func(h *Harness) bool { return a(h) && b(h) }
}
