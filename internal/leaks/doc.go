// Package leaks finds what tests leave open. A [Guard] runs the tests of a package and looks for
// descriptors and goroutines at their end. A [Ledger] finds the connections and bodies of one test,
// through which its client dials:
//
//	l := leaks.Watch(t)
//	c := client.New(client.Options{Dial: l.Dial(nil)})
//	l.Ends(c)
//
// It is for tests only. It does not import package client, so that the tests of client can use it.
package leaks
