package ph

import "io"

// Text is the reply to a query as a text, with an empty line between entries.
type Text struct {
	c     *Conn
	rest  string // not read yet
	begun bool
}

// Text waits for the first entry, so that an error of the server is returned here and not by Read. The caller must Close
// the Text, which closes the Conn; Text closes it if it fails.
func (c *Conn) Text() (*Text, error) {
	t := &Text{c: c}
	if err := t.fill(); err != nil && err != io.EOF {
		c.Close()
		return nil, err
	}
	return t, nil
}

// Empty reports whether the query found nothing. It is of use before the first Read.
func (t *Text) Empty() bool { return t.rest == "" }

// fill reads the next entry if nothing is left of the last one.
func (t *Text) fill() error {
	if t.rest != "" {
		return nil
	}
	e, err := t.c.Next()
	if err != nil {
		return err
	}
	if t.rest = e.String(); t.begun {
		t.rest = "\n" + t.rest
	}
	t.begun = true
	return nil
}

// Read implements io.Reader.
func (t *Text) Read(p []byte) (int, error) {
	if err := t.fill(); err != nil {
		return 0, err
	}
	n := copy(p, t.rest)
	t.rest = t.rest[n:]
	return n, nil
}

// Close closes the Conn.
func (t *Text) Close() error {
	t.rest = ""
	return t.c.Close()
}
