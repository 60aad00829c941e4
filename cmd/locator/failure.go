package main

import (
	"locator/client"
	"locator/internal/present"
)

// failURL reports the error of one URL: with --json as an object on standard output, otherwise as a message.
func (a *app) failURL(shown string, err error) error {
	if !a.flags.json {
		a.fail(a.of(a.at, err))
		return nil
	}
	code := client.CodeOf(err)
	a.status.add(code)
	return a.printJSON(present.Failure{URL: present.Octets(shown), Status: code.Exit(), Error: present.Octets(errorText(err)), Line: a.at.line})
}

// printJSON prints an object on a line of standard output.
func (a *app) printJSON(v any) error {
	line, err := present.Marshal(v)
	if err != nil {
		return err
	}
	_, err = a.Out.Write(append(line, '\n'))
	return outputError(err)
}
