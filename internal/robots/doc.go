// Package robots reads robots.txt (RFC 9309). Other libraries discard all rules because of one bad
// line, ignore a group without rules, or compare paths without normalizing them.
package robots
