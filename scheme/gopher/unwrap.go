package gopher

import (
	"errors"
	"fmt"
	"io"

	"locator/internal/armor"
	"locator/scheme"
	"locator/wire"
)

// unwrap replaces a BinHex or uuencoded text (types 4 and 6 of RFC 1436 3.8) by the file in it. It
// does not change other items.
func (a *reply) unwrap(res *scheme.Resource) error {
	open := typeOf(a.q.typ).unwrap
	if open == nil {
		return nil
	}
	body := res.Body
	f, err := open(body)
	if err != nil {
		return unwrapError(err)
	}
	name := a.reader.chars.text(f.Name)
	res.Body = &unwrapped{f, body}
	res.Attr.Type = mediaOf('9', f.Name, nil)
	res.Attr.Size = scheme.Count{}
	if f.Size >= 0 {
		res.Attr.Size = scheme.Known(f.Size)
	}
	res.Attr.More = append(res.Attr.More, scheme.Attribute{Name: "filename", Value: name})
	res.Notes = append(res.Notes, "the file "+wire.Escape(name)+", unwrapped")
	if f.LeftOut > 0 {
		res.Notes = append(res.Notes, fmt.Sprintf("its resource fork of %d bytes is left out", f.LeftOut))
	}
	return nil
}

// unwrapped is a file within a body.
type unwrapped struct {
	file *armor.File
	body io.Closer
}

// Read returns the bytes of the file.
func (u *unwrapped) Read(p []byte) (int, error) {
	n, err := u.file.Read(p)
	return n, unwrapError(err)
}

// Close closes the body.
func (u *unwrapped) Close() error { return u.body.Close() }

// unwrapError adds a code to the error of a text without a file.
func unwrapError(err error) error {
	if errors.Is(err, armor.ErrForm) {
		return scheme.Fail(scheme.CodeProtocol, "%w; without decoding, the text comes as it is", err)
	}
	return err
}
