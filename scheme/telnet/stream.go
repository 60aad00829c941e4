package telnet

import (
	"locator/scheme"
	"locator/scheme/telnet/internal/option"
)

// maxSubnegotiation is the largest subnegotiation, in bytes.
const maxSubnegotiation = 4 << 10

// A receiver handles the commands in a stream. An error ends the stream.
type receiver interface {
	command(c option.Command)
	negotiate(c option.Command, o option.Option) error
	subnegotiate(o option.Option, data []byte) error
	// binary reports whether the other end sends in BINARY.
	binary() bool
}

// decoder separates the data of a stream from its commands (RFC 854, 855). The zero value is at the
// start of a stream.
type decoder struct {
	state decoderState
	verb  option.Command // of a negotiation
	cr    bool           // the last data byte was CR, not in BINARY
	sub   []byte         // of a subnegotiation: the option and the data
}

type decoderState uint8

const (
	inData decoderState = iota
	afterIAC
	afterVerb // WILL, WONT, DO or DONT
	inSub
	afterSubIAC
)

// decode appends the data in src to dst and calls r for the commands.
func (d *decoder) decode(dst, src []byte, r receiver) ([]byte, error) {
	for _, c := range src {
		var err error
		switch d.state {
		case inData:
			if option.Command(c) == option.IAC {
				d.state = afterIAC
				continue
			}
			dst = d.data(dst, c, r)
		case afterIAC:
			dst = d.afterIAC(dst, option.Command(c), r)
		case afterVerb:
			d.state = inData
			err = r.negotiate(d.verb, option.Option(c))
		case inSub:
			if option.Command(c) == option.IAC {
				d.state = afterSubIAC
				continue
			}
			err = d.addSub(c)
		case afterSubIAC:
			dst, err = d.afterSubIAC(dst, option.Command(c), r)
		}
		if err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// data appends a data byte. CR NUL is CR (RFC 854). Other bytes after CR stay as they are.
func (d *decoder) data(dst []byte, c byte, r receiver) []byte {
	if d.cr && c == 0 && !r.binary() {
		d.cr = false
		return dst
	}
	d.cr = c == '\r' && !r.binary()
	return append(dst, c)
}

// afterIAC handles the byte after IAC. A byte that is not a command is ignored with the IAC.
func (d *decoder) afterIAC(dst []byte, c option.Command, r receiver) []byte {
	d.state = inData
	switch c {
	case option.IAC:
		return d.data(dst, byte(c), r)
	case option.WILL, option.WONT, option.DO, option.DONT:
		d.state, d.verb = afterVerb, c
	case option.SB:
		d.state, d.sub = inSub, d.sub[:0]
	default:
		r.command(c)
	}
	return dst
}

func (d *decoder) addSub(c byte) error {
	if len(d.sub) > maxSubnegotiation {
		return scheme.Fail(scheme.CodeProtocol, "the server sent a subnegotiation of more than %d bytes", maxSubnegotiation)
	}
	d.sub = append(d.sub, c)
	return nil
}

// afterSubIAC handles the byte after IAC within a subnegotiation.
//
// QUIRK: a subnegotiation that another command interrupts has ended, as in inetutils telnet 2.4.
func (d *decoder) afterSubIAC(dst []byte, c option.Command, r receiver) ([]byte, error) {
	if c == option.IAC {
		d.state = inSub
		return dst, d.addSub(byte(c))
	}
	d.state = inData
	if len(d.sub) > 0 {
		if err := r.subnegotiate(option.Option(d.sub[0]), d.sub[1:]); err != nil {
			return dst, err
		}
	}
	if c != option.SE {
		dst = d.afterIAC(dst, c, r)
	}
	return dst, nil
}

// encode appends the data in src to dst as it is sent: IAC doubled, and, not in BINARY, LF and CR
// LF as CR LF and a CR alone as CR NUL (RFC 854).
func encode(dst, src []byte, binary bool) []byte {
	for i, c := range src {
		switch {
		case option.Command(c) == option.IAC:
			dst = append(dst, c, c)
		case binary:
			dst = append(dst, c)
		case c == '\n' && (i == 0 || src[i-1] != '\r'):
			dst = append(dst, '\r', '\n')
		case c == '\r' && (i+1 == len(src) || src[i+1] != '\n'):
			dst = append(dst, '\r', 0)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}
