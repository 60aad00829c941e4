// Package fix replaces URLs in files by the URLs that a check found out to be better.
//
// A Planner says what to write instead of a URL. An Editor changes the files, or shows the changes.
package fix
