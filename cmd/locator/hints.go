package main

import (
	"errors"
	"fmt"
	"strings"

	"locator/download"
	"locator/internal/hint"
	"locator/internal/present"
	"locator/transfer"
	"locator/upload"
	"locator/wire"
)

// hints are the words of flags for the hints of errors. %s is the value of a hint with one. A test
// compares them with what the library uses.
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

// textOf returns the text of an error, and what to do in words of flags.
func textOf(err error) string { return hint.Text(err, advice) }

// advised adds the flags that help to the error of a download, an upload or a tree; mirror reports
// whether it is that of a mirror.
func advised(err error, mirror, deletes bool) error {
	var removals *transfer.RemovalsError
	words := ""
	switch {
	case errors.As(err, &removals):
		words = fmt.Sprintf("; if that is right, use --max-delete %d", removals.Removals)
	case errors.Is(err, upload.ErrNewer):
		words = "; use --force to replace it, or --if-newer to keep it"
	case errors.Is(err, download.ErrExist):
		words = "; use --force to replace it, or --if-newer"
	case errors.Is(err, download.ErrInTheWay) && mirror && !deletes:
		words = "; --delete removes what is gone from the server"
	case errors.Is(err, download.ErrInTheWay) && mirror:
		words = ", and --delete keeps it: it was changed here, or is not the mirror's, or the listings do not say enough; remove it"
	case errors.Is(err, transfer.ErrQuota) && mirror:
		words = " (--max-size); no other file is begun"
	case errors.Is(err, transfer.ErrQuota):
		words = " (--max-size)"
	}
	if words == "" {
		return err
	}
	return present.With(err, words)
}

// safe returns a line of text for a terminal: everything but printable UTF-8 is escaped.
func safe(s string) string { return wire.TextLine(s) }
