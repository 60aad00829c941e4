// Package lint holds the house rules as tests, so that no reviewer has to remember them. [Rules] is the list; each rule
// has an example that breaks it in testdata/bad, and a test that finds the rule asleep if it does not fire there.
//
// The rules read the source alone: they need neither a network nor a module that compiles.
package lint
