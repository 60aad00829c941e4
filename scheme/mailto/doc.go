// Package mailto accesses mailto URLs (RFC 1738 3.5). Access makes a draft of a mail from the URL,
// and sends nothing; Update sends a message through the submission server that the user configured
// (scheme.Env.Servers), or the command (Settings.Sendmail).
//
// A draft has only those header fields that a link may set without harm: subject, body, cc,
// in-reply-to and keywords. All others are left out, and named in a note.
//
// RFCs: 822 and 5322 (addresses and fields), 6532 (both beyond ASCII), 6068 (URLs), 5321 (SMTP and
// mail exchangers), 7505 (null MX), 6409 (submission), 8314 (implicit TLS), 3207 (STARTTLS), 4954
// (AUTH), 1870 (SIZE), 6152 (8BITMIME), 6531 (SMTPUTF8), 3461 (DSN), 3463 (enhanced status codes).
package mailto
