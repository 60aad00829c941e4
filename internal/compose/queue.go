package compose

import (
	"cmp"
	"io"
	"slices"

	"locator"
	"locator/internal/mailfmt"
	"locator/internal/units"
	"locator/outbox"
	"locator/scheme"
	"locator/scheme/message"
)

// Queue stores a message for u in the outbox. server is the message's own server; zero means that
// of the configuration. alike are the messages with the same subject and recipients that were not
// sent yet.
func Queue(b *outbox.Outbox, u, server locator.URL, m *mailfmt.Message, reports message.Reports) (e outbox.Entry, alike []outbox.Entry, err error) {
	n, err := m.Size()
	if err != nil {
		return e, nil, err
	}
	if n > outbox.DefaultMaxSize {
		return e, nil, scheme.Fail(scheme.CodeUsage, "the message has %s; at most %s can be sent", units.Size(n), units.Size(outbox.DefaultMaxSize))
	}
	text := m.Reader()
	defer text.Close()
	content, err := io.ReadAll(text)
	if err != nil {
		return e, nil, err
	}
	e, err = b.Add(outbox.Message{URL: u, Server: server, ID: m.ID, Recipients: m.Recipients, From: m.From, Subject: m.Subject, Reports: reports, Content: content})
	if err != nil {
		return e, nil, err
	}
	others, _, _ := b.Entries()
	for _, x := range others {
		if x.ID != e.ID && x.State != outbox.Sent && x.Subject == e.Subject && slices.EqualFunc(x.Recipients, e.Recipients, sameAddress) {
			alike = append(alike, x)
		}
	}
	return e, alike, nil
}

func sameAddress(x, y outbox.Recipient) bool { return x.Address == y.Address }

// Refused returns the recipients of a message that the server has refused.
func Refused(e outbox.Entry) *scheme.Receipt {
	var refused scheme.Receipt
	for _, x := range e.Recipients {
		if x.Reply != "" {
			refused.Refused = append(refused.Refused, scheme.Refusal{Recipient: x.Address, Reply: x.Reply, Code: cmp.Or(x.Code, scheme.CodeNotFound)})
		}
	}
	return &refused
}
