// Package browser has only tests: they open the pages of the gateway in Chromium, by the DevTools protocol, and check what a person
// sees, clicks and types, also without a script, by keyboard, in a narrow window and on paper, and what axe-core finds there. It is a
// module of its own, since nothing else needs the protocol. ./run installs Chromium and axe-core and runs the tests. LOCATOR_LONG=1 makes
// a long run: Chromium with its windows, all rules in both colours, every hostile link clicked, and the extension in Firefox.
package browser
