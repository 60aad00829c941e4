// Package mailtext reads the header fields of mail and news articles (RFC 5322, RFC 5536) as people
// should see them. Its input is not trusted.
package mailtext
