package scheme

import "time"

// Draft is a mail that waits to be finished and sent (RFC 1738 3.5). Access makes it and sends nothing.
type Draft struct {
	To     []string    // addr-specs
	Header []Attribute // further header fields, in order
	Body   string
}

// Receipt says what a server did with a message or an article.
type Receipt struct {
	ID       string // the message-id under which it was sent; "" where there is none
	Reply    string // the server's final reply, escaped for a terminal
	Accepted []string
	Refused  []Refusal
	At       time.Time
}

// Refusal is a recipient that the server refused.
type Refusal struct {
	Recipient string
	Reply     string // the server's words, escaped for a terminal
}
