// Package ignore reads the files that say what searches of a folder leave out: .gitignore, as
// gitignore(5) describes it, and .ignore, which has the same form.
//
// The patterns are matched by [doublestar]; this package turns the lines into its patterns.
//
// [doublestar]: https://pkg.go.dev/github.com/bmatcuk/doublestar/v4
package ignore
