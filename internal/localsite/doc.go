// Package localsite maps the URLs of a web site to the files that it is made of, so that its links
// can be checked without a server.
package localsite
