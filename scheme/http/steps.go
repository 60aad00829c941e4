package http

import (
	nethttp "net/http"

	"locator"
	"locator/scheme"
	"locator/wire"
)

// Steps returns what an access to u would send: "CONNECT host:80", the request line, and the Host field. Other fields depend
// on the user, not on the URL. For https all but the first is sent over TLS.
func (s Scheme) Steps(u locator.URL) ([]string, error) {
	at, err := s.endpoint(u)
	if err != nil {
		return nil, err
	}
	req, err := s.request(&scheme.Env{}, scheme.Request{URL: u}, scheme.AccessOptions{}, at, nil, nethttp.MethodGet)
	if err != nil {
		return nil, err
	}
	return []string{
		"CONNECT " + wire.Escape(at.addr),
		wire.Escape(req.Method + " " + req.URL.RequestURI() + " " + req.Proto),
		"Host: " + wire.Escape(req.Host),
	}, nil
}
