package client

import (
	"context"
	"io"

	"locator/scheme/session"
)

// clientSession is the session of a resource. It wraps errors; io.EOF, the server's end of the
// session, stays as it is.
type clientSession struct {
	session.Session
	op  *operation
	ctx context.Context
}

func (s *clientSession) wrap(err error) error {
	if err == io.EOF {
		return err
	}
	return s.op.wrap(s.ctx, err)
}

func (s *clientSession) Read(p []byte) (int, error) {
	n, err := s.Session.Read(p)
	return n, s.wrap(err)
}

func (s *clientSession) Write(p []byte) (int, error) {
	n, err := s.Session.Write(p)
	return n, s.wrap(err)
}

func (s *clientSession) CloseWrite() error { return s.wrap(s.Session.CloseWrite()) }
func (s *clientSession) Resize(width, height int) error {
	return s.wrap(s.Session.Resize(width, height))
}
func (s *clientSession) Send(signal session.Signal) error { return s.wrap(s.Session.Send(signal)) }
func (s *clientSession) Close() error                     { return s.wrap(s.Session.Close()) }
