package scheme

import "time"

// Draft is what a URL says of a message to be completed and sent by the user (RFC 1738 3.5). Its texts are decoded UTF-8.
type Draft struct {
	// News reports that the message is a news article (RFC 5536); otherwise it is mail (RFC 5322).
	News   bool
	To     []string    // addr-specs; nil for an article
	Header []Attribute // additional header fields, in order
	Body   string
	// Answers is the message-id of the article that the message answers, without its angle brackets; "" is none.
	Answers string
	// Quote is the text of the article that is answered, quoted and with an attribution. It is for an editor: Body does not have it.
	Quote string
	// Keep reports that a message that is sent twice is delivered twice. A program should store it until its result is known, as package
	// outbox does. It is false if servers recognize a second copy by its Message-ID.
	Keep bool
	// Notes are messages for the user, safe to print.
	Notes []string
}

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
}
