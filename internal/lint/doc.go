// Package lint checks the house rules in tests. [Rules] is the list. Each rule has an example that
// breaks it in testdata/bad, and a test fails if the rule does not report it.
//
// The rules read only the source: they need neither a network nor a module that compiles.
package lint
