package outbox

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"locator/internal/addrspec"
	"locator/scheme"
	"locator/wire"
)

// results are the recipients of a message during an attempt.
type results struct {
	list []Recipient
	to   map[string]bool // of this attempt; nil means all
}

func newResults(list []Recipient, to []string) *results {
	r := &results{list: slices.Clone(list)}
	if to != nil {
		r.to = make(map[string]bool)
		for _, address := range to {
			r.to[address] = true
		}
	}
	for i := range r.list { // what the server said in earlier attempts is past
		if x := &r.list[i]; x.State == Queued {
			x.Reply = ""
		}
	}
	return r
}

// answers records what the server has said about recipients. One that it puts off stays queued
// (RFC 5321 4.2.1).
func (r *results) answers(got *scheme.Receipt) {
	if got == nil {
		return
	}
	for _, x := range got.Refused {
		y := Recipient{x.Recipient, Failed, cmp.Or(valid(x.Reply), "refused"), x.Code}
		if x.Code == scheme.CodeUnavailable || strings.HasPrefix(x.Reply, "4") {
			y.State = Queued
		}
		r.set(y)
	}
	for _, address := range got.Accepted {
		r.set(Recipient{Address: address, State: Queued})
	}
}

// unaddressed records that the message was not sent to those recipients of this attempt that are
// not among those that the server has accepted, if the client says who they are.
func (r *results) unaddressed(got *scheme.Receipt) {
	if got == nil || len(got.Accepted) == 0 {
		return
	}
	accepted := make(map[string]bool)
	for _, address := range got.Accepted {
		accepted[mailbox(address)] = true
	}
	for i := range r.list {
		x := &r.list[i]
		if x.State == Queued && x.Reply == "" && r.to[x.Address] && !accepted[mailbox(x.Address)] {
			x.State, x.Code, x.Reply = Failed, scheme.CodeUnsupported, "the message was not sent to this address"
		}
	}
}

// mailbox returns an address as sent to a server, in lower case, so that two forms of it are equal:
// with the domain in ASCII, and the local part in quotes only if it needs them.
func mailbox(address string) string {
	a, err := addrspec.Parse(address)
	if err == nil {
		a, err = a.ToASCII()
	}
	if err != nil {
		return strings.ToLower(address)
	}
	return strings.ToLower(a.String())
}

// set sets the state of a recipient, which the outbox may not know yet.
func (r *results) set(x Recipient) {
	if i := slices.IndexFunc(r.list, func(y Recipient) bool { return y.Address == x.Address }); i >= 0 {
		r.list[i] = x
	} else if len(r.list) < maxRecipients {
		r.list = append(r.list, x)
		if r.to != nil {
			r.to[x.Address] = true
		}
	}
}

// rest sets the state of the recipients of this attempt that the server has not refused.
func (r *results) rest(state State) {
	for i := range r.list {
		if x := &r.list[i]; x.State == Queued && x.Reply == "" && (r.to == nil || r.to[x.Address]) {
			x.State = state
		}
	}
}

// isPutOff reports whether the server puts the message off for some recipients.
func (r *results) isPutOff() bool {
	return slices.ContainsFunc(r.list, func(x Recipient) bool { return x.State == Queued && x.Reply != "" })
}

// err returns an error for a message that the server has not accepted for all recipients, with all
// its reasons. Its code is that of the first recipient that will not get the message; if all of
// them may get it later, CodeUnavailable.
func (r *results) err() error {
	later, refused := r.names(Queued), r.names(Failed)
	switch {
	case later == "" && refused == "":
		return nil
	case refused == "":
		return scheme.Fail(scheme.CodeUnavailable, "the server asks to try again later for %s", later)
	case later != "":
		refused += "; it asks to try again later for " + later
	}
	i := slices.IndexFunc(r.list, func(x Recipient) bool { return x.State == Failed })
	return scheme.Fail(cmp.Or(r.list[i].Code, scheme.CodeNotFound), "the server refused %s", refused)
}

// allRefused reports whether the server has refused every recipient of this attempt, for now or for
// good.
func (r *results) allRefused() bool {
	return !slices.ContainsFunc(r.list, func(x Recipient) bool { return x.Reply == "" && (r.to == nil || r.to[x.Address]) })
}

// names lists the recipients in a state, for a message.
func (r *results) names(s State) string {
	var names []string
	for _, x := range r.list {
		if x.State == s {
			names = append(names, wire.TextLine(x.Address)+": "+x.Reply)
		}
	}
	if len(names) > 5 {
		names = append(names[:5], fmt.Sprintf("and %d others", len(names)-5))
	}
	return strings.Join(names, "; ")
}

func records(recipients []Recipient) []result {
	var list []result
	for _, x := range recipients {
		y := result{Address: x.Address, State: x.State.String(), Reply: x.Reply}
		if x.Code != scheme.CodeOK {
			y.Code = x.Code.String()
		}
		list = append(list, y)
	}
	return list
}
