// Package handler makes a program the handler of the URLs of some schemes on a desktop that follows
// the specifications of freedesktop.org: Desktop Entry, MIME Applications Associations, XDG Base
// Directory. Whatever it changes can be taken back.
package handler
