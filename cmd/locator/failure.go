package main

import (
	"locator/client"
	"locator/internal/present"
)

// jsonFailure is the object of a URL that failed, for the verbs whose other objects have no field for errors.
type jsonFailure struct {
	URL    present.Octets `json:"url"`
	Status int            `json:"status"`
	Error  present.Octets `json:"error"`
	Line   int            `json:"line,omitempty"`
}

// failURL reports the error of one URL: with --json as an object on standard output, otherwise as a message.
func (a *app) failURL(shown string, err error) error {
	if !a.flags.json {
		a.fail(a.of(a.at, err))
		return nil
	}
	code := client.CodeOf(err)
	a.status.add(code)
	return a.printJSON(jsonFailure{present.Octets(shown), code.Exit(), present.Octets(errorText(err)), a.at.line})
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
