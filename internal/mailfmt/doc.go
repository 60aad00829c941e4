// Package mailfmt completes mails and news articles (RFC 5322, RFC 5536): it takes what a user
// wrote, adds what is missing, and refuses what the rules forbid. A complete message stays as it
// is, byte for byte. Texts and attachments are encoded by MIME (RFC 2045, RFC 2047, RFC 2231) where
// they need it. It is the counterpart of package mailtext.
package mailfmt
