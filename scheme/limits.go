package scheme

import (
	"cmp"
	"time"
)

// Limits limit the memory and time that a server can make a client use. A zero field means its
// default.
type Limits struct {
	Idle    time.Duration // timeout without data; default 30 s
	Line    int           // bytes of a line; default 8 KiB
	Header  int           // bytes of a header or a multi-line reply; default 256 KiB
	Entries int           // entries of a listing; default 1,000,000
	Listing int64         // bytes of a listing; default 256 MiB
	Body    int64         // bytes of a body; default no limit
	Hops    int           // redirects and referrals in a chain; default 10
	// LineTime is the time for a line of a reply, header or listing from its first byte, and for a
	// TLS handshake; default 1 min. A server that sends a byte now and then never exceeds Idle.
	LineTime time.Duration
	// ReplyTime is the time for a reply of several lines or a header, from its first byte; default
	// 10 min. It and LineTime are at least Idle.
	ReplyTime time.Duration
	// Time is the time of an operation, from its start until its body, listing or session is
	// closed; default no limit. Redirects and mirrors count.
	Time time.Duration
}

// WithDefaults returns l with the defaults in place of zeros: Limits{}.WithDefaults() are the
// defaults.
func (l Limits) WithDefaults() Limits {
	return l.Or(Limits{
		Idle: 30 * time.Second, Line: 8 << 10, Header: 256 << 10, Entries: 1_000_000, Listing: 256 << 20, Hops: 10,
		LineTime: time.Minute, ReplyTime: 10 * time.Minute,
	})
}

// Or returns l with the values of d in place of zeros.
func (l Limits) Or(d Limits) Limits {
	return Limits{
		Idle: cmp.Or(l.Idle, d.Idle), Line: cmp.Or(l.Line, d.Line), Header: cmp.Or(l.Header, d.Header),
		Entries: cmp.Or(l.Entries, d.Entries), Listing: cmp.Or(l.Listing, d.Listing),
		Body: cmp.Or(l.Body, d.Body), Hops: cmp.Or(l.Hops, d.Hops), Time: cmp.Or(l.Time, d.Time),
		LineTime: cmp.Or(l.LineTime, d.LineTime), ReplyTime: cmp.Or(l.ReplyTime, d.ReplyTime),
	}
}
