package hint

import (
	"errors"

	"locator/scheme"
)

// The hints. AllowPorts and AllowNets are followed by "=" and a value.
const (
	Addresses   = "Addresses=Any"         // of policy.Options
	AllowNets   = "AllowNets"             // of policy.Options
	AllowPorts  = "AllowPorts"            // of policy.Options
	Answers     = "Answers"               // of scheme.SubmitOptions
	Attachment  = "Attachment"            // of a message, whose text cannot carry the data
	Certificate = "TLS.Certificates"      // of client.Options
	Direct      = "Direct"                // no setting: a program that wants to access the URL can access it without the hop that led there
	From        = "From"                  // a field of the message, or Mail of client.Options
	Login       = "Logins"                // of client.Options
	Mail        = "Mail"                  // of client.Options
	MailLogin   = "Servers=mailto, login" // of client.Options: a server whose URL has a user
	MailServer  = "Servers=mailto"        // of client.Options
	NewsServer  = "Servers=news"          // of client.Options
	NewsTLS     = "Servers=snews"         // of client.Options
	RootCAs     = "TLS.RootCAs"           // of client.Options
	Subject     = "Subject"               // a field of the message
	TLSRequire  = "TLSMode=TLSRequire"    // of client.Options
	TLSTry      = "TLSMode=TLSTry"        // of client.Options
)

// Fail is [scheme.Fail] with a hint.
func Fail(hint string, code scheme.Code, format string, args ...any) *scheme.Error {
	return On(hint, scheme.Fail(code, format, args...))
}

// Replied is [scheme.Replied] with a hint.
func Replied(hint string, code scheme.Code, reply, format string, args ...any) *scheme.Error {
	return On(hint, scheme.Replied(code, reply, format, args...))
}

// On sets the hint of e, unless it is "", and returns e.
func On(hint string, e *scheme.Error) *scheme.Error {
	if hint != "" {
		e.Hint = hint
	}
	return e
}

// Of returns the hint of an error: that of the first [scheme.Error] in its chain that has one, or
// "".
func Of(err error) string {
	for {
		e, ok := errors.AsType[*scheme.Error](err)
		if !ok || e.Hint != "" {
			if ok {
				return e.Hint
			}
			return ""
		}
		err = e.Err
	}
}
