// Package robots reads robots.txt (RFC 9309). It exists because the libraries at hand lose all rules to one bad line, take
// a group without rules for none, or compare paths by their spelling.
package robots
