// Package browser has only tests: they open the pages of the gateway in Chromium, by the DevTools protocol, and check what a person
// sees, clicks and types, also without a script, by keyboard, in a narrow window and on paper, and what axe-core finds there. It is a
// module of its own, since nothing else needs the protocol. ./run installs Chromium and axe-core and runs the tests.
package browser
