package scheme

import "time"

// Draft is a mail to be completed and sent by the user (RFC 1738 3.5). Access returns it and sends nothing.
type Draft struct {
	To     []string    // addr-specs
	Header []Attribute // additional header fields, in order
	Body   string
	// Keep reports that a message that is sent twice is delivered twice. A program should store it until its result is known, as package
	// outbox does. It is false if servers recognize a second copy by its Message-ID.
	Keep bool
}

// Receipt reports what a server did with a message or an article.
type Receipt struct {
	ID       string // the message-id; "" if there is none
	Reply    string // the server's final reply, escaped for a terminal
	Accepted []string
	Refused  []Refusal
	At       time.Time
}

// Refusal is a recipient that the server refused.
type Refusal struct {
	Recipient string
	Reply     string // the server's reply, escaped for a terminal
}
