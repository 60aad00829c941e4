package prospero

import (
	"context"
	"io"

	"locator/scheme"
)

// aboutRequest asks a server for its version and its message of the day.
func aboutRequest() string { return command("VERSION") + command("PARAMETER GET MOTD") }

// about returns what the server of p says about itself. A server that does not say it is no error.
func (p place) about(ctx context.Context, env *scheme.Env) ([]scheme.Attribute, error) {
	a, err := ask(ctx, env, p, aboutRequest(), int64(env.Limits.Header), nil)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	for err == nil {
		_, _, err = a.line(ctx)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != io.EOF {
		env.Trace.OnNote("the server does not say all about itself: " + err.Error())
	}
	var all []scheme.Attribute
	for _, x := range []scheme.Attribute{{Name: "Version", Value: a.version}, {Name: "Message of the day", Value: a.motd}} {
		if x.Value != "" {
			x.Block = "server"
			all = append(all, x)
		}
	}
	return all, nil
}
