// Package hostname knows host names beyond ASCII: their form in the domain name system (RFC 5891,
// UTS 46), and letters that can be taken for others (UTS 39).
package hostname
