package gopher

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/ianaindex"

	"locator/scheme"
)

// caps is what a server says about itself in the item caps.txt. No RFC defines it; several servers
// have it. All of it is optional.
type caps struct {
	charset  encoding.Encoding // of text that is not UTF-8; nil if caps.txt does not name it
	lifetime time.Duration
	keys     []scheme.Attribute // in the order of the file
}

const (
	capsSelector = "caps.txt"
	capsBlock    = "caps.txt" // the block of its attributes
	maxCaps      = 64 << 10   // bytes
	maxCapsKeys  = 100
	capsTimeout  = 5 * time.Second // for both selectors together, because the file is never what the caller asked for
	capsLifetime = time.Hour       // if the file has no ExpireCapsAfter
)

// askCaps returns what the server of a request says about itself if the caller wants it
// (ServerInfo). A server without caps.txt is not an error. The answer is cached, at most as long as
// the file says.
func (s Scheme) askCaps(ctx context.Context, env *scheme.Env, r options, q place) (caps, error) {
	if !r.ServerInfo || q.typ == typeNameServer || typeOf(q.typ).kind == scheme.KindSession {
		return caps{}, nil
	}
	key := capsSelector + " " + q.addr
	if cached, ok := env.Cache.Get(key); ok {
		return cached.(caps), nil
	}
	c, err := s.readCaps(ctx, env, q)
	if err == nil {
		env.Cache.Put(key, c, c.lifetime)
	}
	return c, err
}

// readCaps asks for caps.txt. It fails only if ctx ends; for a server without the file it returns
// an empty caps.
func (s Scheme) readCaps(ctx context.Context, env *scheme.Env, q place) (c caps, err error) {
	short, cancel := context.WithTimeout(ctx, capsTimeout)
	defer cancel()
	c.lifetime = capsLifetime
	for _, selector := range []string{capsSelector, "/" + capsSelector} {
		text, err := s.readSmall(short, env, place{server: q.server, addr: q.addr, typ: '0', selector: selector})
		switch {
		case ctx.Err() != nil:
			return c, context.Cause(ctx)
		case err != nil:
			env.Trace.OnNote("no " + selector)
			if e, ok := errors.AsType[*scheme.Error](err); !ok || e.Code != scheme.CodeNotFound {
				return c, nil // it is the same for the other selector
			}
		case strings.HasPrefix(text, "CAPS"):
			c.parse(text)
			return c, nil
		}
	}
	return c, nil
}

// readSmall reads the first maxCaps bytes of a text.
func (s Scheme) readSmall(ctx context.Context, env *scheme.Env, q place) (string, error) {
	res, err := s.get(ctx, env, q, options{})
	if err != nil {
		return "", err
	}
	defer res.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, maxCaps))
	return string(text), err
}

// parse reads the lines of a caps.txt: "key=value", or a comment that begins with "#". Other lines
// are ignored.
func (c *caps) parse(text string) {
	for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\r' || r == '\n' }) {
		key, value, ok := strings.Cut(line, "=")
		if key = strings.TrimSpace(key); !ok || key == "" || key[0] == '#' {
			continue
		}
		if value = strings.TrimSpace(value); value == "" {
			continue
		}
		switch key {
		case "ExpireCapsAfter":
			if n, err := strconv.ParseUint(value, 10, 31); err == nil {
				c.lifetime = time.Duration(n) * time.Second
			}
		case "ServerDefaultEncoding", "DefaultEncoding":
			if e, err := ianaindex.IANA.Encoding(value); err == nil && e != nil && c.charset == nil {
				c.charset = e
			}
		}
		if len(c.keys) < maxCapsKeys {
			c.keys = append(c.keys, scheme.Attribute{Block: capsBlock, Name: charset{}.text(key), Value: charset{}.text(value)})
		}
	}
}
