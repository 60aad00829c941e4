package mailfmt

import (
	"strconv"
	"strings"
)

// syntax is the syntax of a field's value.
type syntax uint8

const (
	unstructured syntax = iota // words of people (RFC 5322 2.2.1): the only syntax with encoded words besides addresses
	addresses
	messageID
	messageIDs
	newsgroups
	date
	token // anything else, in ASCII
)

// kind is what is known about a field.
type kind struct {
	syntax syntax
	many   bool // it may occur more than once
}

// kinds are the fields of RFC 5322, RFC 5536 and MIME, and others that begin a message, by their
// names in lower case.
var kinds = map[string]kind{
	"from": {addresses, false}, "sender": {addresses, false}, "reply-to": {addresses, false},
	"to": {addresses, false}, "cc": {addresses, false}, "bcc": {addresses, false},
	"date": {date, false}, "subject": {unstructured, false}, "comments": {unstructured, true}, "keywords": {unstructured, true},
	"message-id": {messageID, false}, "in-reply-to": {messageIDs, false}, "references": {messageIDs, false},
	"return-path": {token, true}, "received": {token, true}, "delivered-to": {token, true}, "dkim-signature": {token, true},
	"resent-from": {addresses, true}, "resent-to": {addresses, true}, "resent-cc": {addresses, true}, "resent-sender": {addresses, true},
	"resent-date": {date, true}, "resent-message-id": {messageID, true},
	"mime-version": {token, false}, "content-type": {token, false}, "content-transfer-encoding": {token, false},
	"content-disposition": {token, false}, "content-description": {unstructured, false}, "content-id": {messageID, false}, "content-language": {token, false},

	"newsgroups": {newsgroups, false}, "followup-to": {newsgroups, false}, "path": {token, false}, "control": {token, false},
	"supersedes": {messageID, false}, "approved": {addresses, false}, "distribution": {token, false}, "expires": {date, false},
	"organization": {unstructured, false}, "summary": {unstructured, false}, "user-agent": {unstructured, false}, "archive": {token, false},
	"lines": {token, false}, "xref": {token, false}, "injection-date": {token, false}, "injection-info": {token, false},
	"mail-copies-to": {token, false}, "mail-followup-to": {token, false}, "cancel-lock": {token, false}, "cancel-key": {token, false},
	"importance": {token, false}, "priority": {token, false}, "auto-submitted": {token, false}, "list-id": {unstructured, false},
	"list-unsubscribe": {token, false}, "precedence": {token, false}, "disposition-notification-to": {addresses, false},
	"nntp-posting-host": {token, false}, "nntp-posting-date": {token, false},
}

// known reports whether a line that begins with this name and a colon is a header field rather than
// text.
func known(name string) bool {
	name = strings.ToLower(name)
	_, ok := kinds[name]
	return ok || strings.HasPrefix(name, "x-")
}

func digits(n int) string { return strconv.Itoa(n) }
