package message

// Draft is what a URL says of a message to be completed and sent by the user (RFC 1738 3.5). Its
// texts are decoded UTF-8.
type Draft struct {
	// News reports that the message is a news article (RFC 5536); otherwise it is mail (RFC 5322).
	News   bool
	To     []string // addr-specs; nil for an article
	Header []Field  // additional header fields, in order
	Body   string
	// Answers is the message-id of the article that the message answers, without its angle
	// brackets; "" means none.
	Answers string
	// Quote is the text of the article that is answered, quoted and with an attribution. It is for
	// an editor: Body does not have it.
	Quote string
	// Bcc are the blind copies that the URL asks for. They are part of the message only if the user
	// adds them to it.
	Bcc []string
	// Keep reports that a message that is sent twice is delivered twice. A program should store it
	// until its result is known, as package outbox does. It is false if servers recognize a second
	// copy by its Message-ID.
	Keep bool
	// Ready reports that the message could be sent now: the URL names a server, or one that takes
	// such messages is configured.
	Ready bool
	// Notes are messages for the user, safe to print.
	Notes []string
}

// Field is a field of the header of a message. Its Value is decoded UTF-8.
type Field struct{ Name, Value string }

// Reports asks the servers for reports about the delivery of a mail (RFC 3461). The zero value asks
// for none but those that servers send by themselves.
type Reports struct {
	Notify []string // "never", or some of "success", "failure" and "delay"
	Return string   // how much of the mail a report contains: "full" or "hdrs", the header; "" leaves it to the server
}
