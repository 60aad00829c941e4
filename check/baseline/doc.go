// Package baseline keeps a list of URLs that are known to be broken, so that a check fails for
// others only.
//
// The list is a file to be committed: one JSON object per URL and line, sorted by URL, with the
// verdict, the reason, the date since when it is known, and a note that people may add. So a change
// of one URL is a change of one line, and two branches that change different URLs merge. It is JSON
// and not a table with tabs, since a malformed URL may have any characters, and since JSON has a
// place for notes.
package baseline
