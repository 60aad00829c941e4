package main

import (
	"context"
	"fmt"
	"io"

	"locator"
	"locator/scheme"
)

// putReply prints the result of an upload. For a form that is the reply, as with get. For any other upload it is the
// resulting URL, and the reply goes to the file of -o or is discarded.
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
