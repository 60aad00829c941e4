package main

import (
	"errors"
	"fmt"
	"strings"

	"locator/internal/hint"
	"locator/scheme"
)

// hints are the words of flags for the hints of errors. %s is the value of a hint with one. A test compares them with what the library uses.
var hints = map[string]string{
	hint.Addresses:   "connect without the proxy, or allow addresses any",
	hint.AllowNets:   "to allow it, use --allow-net %s, or addresses any",
	hint.AllowPorts:  "to allow it, use --allow-port %s",
	hint.Answers:     "give the words with --query",
	hint.Attachment:  "send other files with --attach",
	hint.Certificate: "use --cert, with a URL of this server",
	hint.Direct:      "to access it anyway, use its URL directly",
	hint.From:        "write a line From: into the message, use --from, or set mail in the configuration file",
	hint.Login:       "use --user or --netrc",
	hint.Mail:        "use --mail, or set mail in the configuration file",
	hint.MailLogin:   "use --smtp smtp://user@host",
	hint.MailServer:  "name one with --smtp smtp://user@host or in the configuration (smtp = \"...\"), or a command with --sendmail",
	hint.NewsServer:  "use --news-server HOST, news-server in the configuration file, or the environment variable NNTPSERVER",
	hint.NewsTLS:     "use --news-server snews://HOST",
	hint.RootCAs:     "to trust its issuer, use --cacert",
	hint.Subject:     "use --subject, or write a line Subject: into the message",
	hint.TLSRequire:  "use --tls require",
	hint.TLSTry:      "to send the password unencrypted, use --tls try",
}

// advice returns the words for a hint, "" if there are none.
func advice(h string) string {
	if words, ok := hints[h]; ok {
		return words
	}
	if name, value, ok := strings.Cut(h, "="); ok && strings.Contains(hints[name], "%s") {
		return fmt.Sprintf(hints[name], value)
	}
	return ""
}

// textOf returns the text of an error, and what to do in words of flags. The advice follows the cause that it is for, before the words of the
// server.
func textOf(err error) string {
	text := err.Error()
	words := advice(hint.Of(err))
	if words == "" {
		return text
	}
	told := text + "; " + words
	for e, ok := errors.AsType[*scheme.Error](err); ok; e, ok = errors.AsType[*scheme.Error](e.Err) { // the innermost has the cause
		advised := *e
		advised.Err = fmt.Errorf("%s; %s", causeOf(e), words)
		if old := e.Error(); e.Hint != "" && strings.Contains(text, old) {
			told = strings.Replace(text, old, advised.Error(), 1)
		}
	}
	return told
}

// causeOf returns what an error says of its cause.
func causeOf(e *scheme.Error) string {
	if e.Err == nil {
		return e.Code.String()
	}
	return e.Err.Error()
}
