package main

import (
	"context"
	"fmt"
	"io"

	"locator"
	"locator/scheme"
)

// putReply tells what an upload came to. The reply to a form is what the form was sent for, so it goes to standard output
// as that of get does; of any other upload that is the resulting URL, and the reply goes to the file of -o, if anywhere.
func (a *app) putReply(ctx context.Context, res *scheme.Resource, u locator.URL, isForm bool, to place) error {
	kept := to.file != nil || to.device != ""
	replies := res.Body != nil || res.Entries != nil
	if replies && (isForm || kept) {
		g := &getter{app: a, event: event{URL: octets(u.Redacted())}}
		if err := g.write(ctx, res, to); err != nil {
			return err
		}
	} else if res.Body != nil {
		if _, err := io.Copy(io.Discard, res.Body); err != nil {
			return err
		}
	}
	if isForm && replies && !kept {
		return nil
	}
	_, err := fmt.Fprintln(a.Out, safe(result(res, u)))
	return outputError(err)
}
