package present

import (
	"errors"
	"fmt"

	"locator/scheme"
)

// Failure is the object of a URL that failed, where the other objects have no field for errors.
type Failure struct {
	URL    Octets `json:"url"`
	Status int    `json:"status"`
	Error  Octets `json:"error"`
	Line   int    `json:"line,omitempty"`
}

// Change is the object of rm, mv and mkdir with --json.
type Change struct {
	URL    Octets  `json:"url"`
	New    *Octets `json:"new,omitempty"`
	Status int     `json:"status"`
	Error  *Octets `json:"error"`

	Files   *int `json:"files,omitempty"`
	Folders *int `json:"folders,omitempty"`
	Line    int  `json:"line,omitempty"`
}

// With returns an error whose text has words behind its cause.
func With(err error, words string) error {
	e, ok := errors.AsType[*scheme.Error](err)
	if !ok {
		return fmt.Errorf("%w%s", err, words)
	}
	more := *e
	more.Err = fmt.Errorf("%w%s", e.Err, words)
	return &more
}

// Bare returns an error without the operation and the URL, which are fields of their own.
func Bare(err error) error {
	e, ok := errors.AsType[*scheme.Error](err)
	if !ok {
		return err
	}
	bare := *e
	bare.Op, bare.URL = "", ""
	return &bare
}
