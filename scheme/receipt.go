package scheme

import "time"

// Receipt reports what a server did with a message or an article.
type Receipt struct {
	ID       string // the message-id without its angle brackets; "" if there is none
	Reply    string // the server's final reply, escaped for a terminal
	Accepted []string
	Refused  []Refusal
	At       time.Time
}

// Refusal is a recipient that the server refused.
type Refusal struct {
	Recipient string
	Reply     string // the server's reply, escaped for a terminal
	Code      Code
}
