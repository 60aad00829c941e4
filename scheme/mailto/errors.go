package mailto

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/textproto"
	"slices"
	"strings"

	"github.com/emersion/go-smtp"

	"locator/internal/hint"
	"locator/scheme"
	"locator/scheme/internal/dialogue"
	"locator/wire"
)

// stage is what a server refuses.
type stage uint8

const (
	atConnect stage = iota // the connection, EHLO or STARTTLS
	atLogin
	atSender
	atRecipient
	atMessage // DATA, or the message itself
)

// names are the commands of the stages, for errors.
var names = [...]string{"connecting", "AUTH", "MAIL FROM", "RCPT TO", "DATA"}

// codes is the table of the replies that refuse something at any stage: what each means for the
// caller (RFC 5321 4.2.3, RFC 4954 4 and 6, RFC 7504). A 4yz reply that it does not have is
// CodeUnavailable, a 5yz reply CodeUnsupported.
var codes = map[int]struct {
	code scheme.Code
	text string
}{
	421: {scheme.CodeUnavailable, "the mail server is not available now; try again later"},
	432: {scheme.CodeLoginNeeded, "the mail server requires a new password"},
	450: {scheme.CodeUnavailable, "the mailbox is not available now; try again later"},
	451: {scheme.CodeUnavailable, "the mail server asks to try again later"},
	452: {scheme.CodeUnavailable, "the mail server has not enough space now; try again later"},
	454: {scheme.CodeUnavailable, "the mail server cannot do this now; try again later"},
	500: {scheme.CodeUnsupported, "the mail server does not know the command"},
	501: {scheme.CodeUnsupported, "the mail server does not accept an argument"},
	502: {scheme.CodeUnsupported, "the mail server does not support the command"},
	503: {scheme.CodeProtocol, "the mail server wants another order of commands"},
	504: {scheme.CodeUnsupported, "the mail server does not support an argument"},
	521: {scheme.CodeUnsupported, "the host accepts no mail"},
	530: {scheme.CodeLoginNeeded, "the mail server requires a login or TLS"},
	534: {scheme.CodeLoginNeeded, "the mail server requires a stronger way to log in"},
	535: {scheme.CodeLoginNeeded, "the mail server refused the login"},
	538: {scheme.CodeLoginNeeded, "the mail server requires TLS for the login"},
	550: {scheme.CodeNotFound, "the mail server knows no such mailbox"},
	551: {scheme.CodeNotFound, "the mailbox is at another server"},
	552: {scheme.CodeUnsupported, "the message is too large for the mail server"},
	553: {scheme.CodeNotFound, "the mail server does not allow the name of the mailbox"},
	555: {scheme.CodeUnsupported, "the mail server does not support a parameter"},
	556: {scheme.CodeNotFound, "the domain accepts no mail"},
}

// hints are the settings that help with a reply.
var hints = map[int]string{530: hint.MailLogin, 538: hint.TLSRequire}

// fail returns the error of a reply that refuses something.
func fail(at stage, e *smtp.SMTPError) *scheme.Error {
	known, ok := codes[e.Code]
	switch {
	case e.Code/100 != 4 && e.Code/100 != 5:
		known.code, known.text = scheme.CodeProtocol, fmt.Sprintf("reply %d makes no sense after %s", e.Code, names[at])
	case e.Code/100 == 5 && (e.EnhancedCode[1] == 7 || relaying(e)) && at != atMessage && (!ok || known.code == scheme.CodeNotFound || at == atConnect):
		// RFC 3463 3.8: security or policy
		known.code, known.text = scheme.CodeLoginNeeded, "the mail server does not permit this; a login or another sender may be allowed"
	case e.Code == 552 && e.EnhancedCode == smtp.EnhancedCode{5, 2, 2}:
		known.code, known.text = scheme.CodeUnavailable, "the mailbox is full"
	case e.Code/100 == 5 && at == atMessage && (!ok || known.code == scheme.CodeNotFound):
		known.code, known.text = scheme.CodeUnsupported, "the mail server refused the message"
	case !ok && at == atLogin:
		known.code, known.text = scheme.CodeLoginNeeded, "the mail server refused the login"
	case !ok && e.Code/100 == 4:
		known.code, known.text = scheme.CodeUnavailable, "the mail server refused "+names[at]+" now; try again later"
	case !ok || at == atConnect && known.code == scheme.CodeNotFound:
		known.code, known.text = scheme.CodeUnsupported, "the mail server refused "+names[at]
	case at == atSender && known.code == scheme.CodeNotFound:
		known.code, known.text = scheme.CodeLoginNeeded, "the mail server does not accept the sender"
	}
	err := scheme.Replied(known.code, shown(e), "%s", known.text)
	if known.text == codes[e.Code].text {
		err.Hint = hints[e.Code]
	}
	err.Final = e.Code/100 == 5
	return err
}

// relaying reports whether a reply without an enhanced code says that the server does not pass on
// mail for the recipient's domain.
//
// QUIRK: exim 4.96 with its default configuration answers "550 relay not permitted" to RCPT, where
// others have the code 5.7.1; 550 alone means that there is no such mailbox.
func relaying(e *smtp.SMTPError) bool {
	isRelay := func(word string) bool { return word == "relay" || word == "relaying" } // not a host such as relay.example
	return e.Code == 550 && e.EnhancedCode == (smtp.EnhancedCode{}) && slices.ContainsFunc(strings.Fields(strings.ToLower(e.Message)), isRelay)
}

// shown is a reply as an escaped line, for people.
func shown(e *smtp.SMTPError) string {
	enhanced := ""
	if e.EnhancedCode != (smtp.EnhancedCode{}) {
		enhanced = fmt.Sprintf("%d.%d.%d ", e.EnhancedCode[0], e.EnhancedCode[1], e.EnhancedCode[2])
	}
	return wire.Excerpt(fmt.Sprintf("%d %s%s", e.Code, enhanced, strings.ReplaceAll(e.Message, "\n", " ")), dialogue.ShownReply)
}

// failed returns the error of package smtp after a command: that of a reply, or that of a lost
// connection.
func failed(at stage, err error) error {
	if e, ok := errors.AsType[*smtp.SMTPError](err); ok {
		return fail(at, e)
	}
	if bad, ok := errors.AsType[base64.CorruptInputError](err); ok {
		return scheme.Fail(scheme.CodeProtocol, "the server does not speak SMTP: its challenge after %s is not valid: %w", names[at], bad)
	}
	return lost(names[at], err)
}

// lost returns the error of a connection that ended, stalled or sent nonsense after a command.
func lost(after string, err error) error {
	if bad, ok := errors.AsType[textproto.ProtocolError](err); ok {
		return scheme.Replied(scheme.CodeProtocol, wire.Excerpt(string(bad), dialogue.ShownReply), "the server does not speak SMTP: the reply after %s is not valid", after)
	}
	if errors.Is(err, smtp.ErrTooLongLine) {
		err = wire.ErrLineTooLong
	}
	return protocol.Lost(after, err)
}
