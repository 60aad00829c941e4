// Package present has the forms in which results are shown: the JSON objects that docs/json.md
// documents, and lists and lines for people. It knows no flags and prints nothing by itself.
package present
