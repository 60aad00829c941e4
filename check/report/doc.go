// Package report writes what a check found out: as text for people, as JSON lines, CSV, Markdown,
// JUnit, SARIF 2.1.0, annotations of GitHub and GitLab, and as a page of HTML that needs no other
// file and no script.
//
// The results are read once and not kept. JSON lines and CSV have all of them. The other formats
// list at most 10,000 findings, those that fail first, and say how many more there are.
//
// URLs, names of files and the words of servers come from strangers. Each format escapes them in
// its own way, so that they are only text in it.
package report
