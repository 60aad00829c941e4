package http

import (
	"context"
	nethttp "net/http"

	"locator/scheme"
)

// send sends b with PUT or POST.
func (s Scheme) send(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.WriteOptions, method string, b scheme.Body) (*scheme.Resource, error) {
	up := newUpload(b)
	defer up.stop(ctx)
	if size, ok := b.Size.Get(); ok && size == 0 {
		if err := up.commit(); err != nil {
			return nil, err
		}
	}
	a, err := s.do(ctx, env, r, scheme.AccessOptions{Accept: o.Accept}, method, up)
	if err != nil {
		return nil, err
	}
	res := &scheme.Resource{URL: r.URL, Kind: scheme.KindObject, Body: nethttp.NoBody, Status: a.code()}
	switch {
	case a.StatusCode == nethttp.StatusSeeOther:
		// The body was processed; the result is at another URL (RFC 9110 15.4.4).
		defer a.discard()
		next, err := a.referral()
		if err != nil {
			return nil, err
		}
		res.URL = next.Next[0].URL
	case a.redirects():
		defer a.discard()
		return a.referral()
	case a.StatusCode/100 != 2:
		return nil, a.statusError()
	case method == nethttp.MethodPost:
		if a.StatusCode == nethttp.StatusCreated {
			if next, err := a.location(); err == nil {
				res.URL = next
			}
		}
		res.Attr, res.Body = a.attr(), &body{a: a}
	default:
		defer a.discard()
		res.Attr.ETag = a.Header.Get("ETag")
		res.Attr.More = a.fields
	}
	if a.StatusCode == nethttp.StatusAccepted {
		res.Notes = append(res.Notes, "the server accepted the body and will process it later")
	}
	if err := up.wait(ctx); err != nil {
		a.close()
		return nil, err
	}
	return res, nil
}

// wait waits until the whole body is sent. A server may respond before that; it is an error if the body is not sent to
// its end.
func (u *upload) wait(ctx context.Context) error {
	if c := u.current; c != nil {
		if !c.started.Load() {
			return scheme.Fail(scheme.CodeProtocol, "the server reported success before the body was sent")
		}
		select {
		case <-c.done:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if err := u.sourceError(); err != nil {
		return err
	}
	if !u.complete() {
		return scheme.Fail(scheme.CodeBroken, "the server reported success but closed the connection after %d bytes of the body", u.octets.Load())
	}
	return nil
}
