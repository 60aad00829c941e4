package linkfarm

import (
	"context"
	"io"
	"net"
	"strings"

	"golang.org/x/net/dns/dnsmessage"
)

// zone has the records of the names of the farm. Other names do not exist.
var zone = map[string]struct {
	mx     string // "." is that of a domain without mail
	a      bool
	broken bool // the look-up fails
}{
	"mail.farm.test.": {mx: "mx.farm.test."}, "address.farm.test.": {a: true}, "nomail.farm.test.": {mx: "."}, "empty.farm.test.": {}, "broken.farm.test.": {broken: true},
	"mx.farm.test.": {a: true},
}

// mail plants links of mail, and those of names that need the resolver of the farm.
func (f *Farm) mail() error {
	for url, right := range map[string]string{
		"mailto:ann@mail.farm.test": ok, "mailto:ann@mail.farm.test?subject=Hello%20there": ok, "mailto:ann@address.farm.test": ok, "mailto:?to=ann@mail.farm.test": ok,
		"mailto:a@mail.farm.test,b@mail.farm.test": ok, "mailto:ann@nomail.farm.test": notFound, "mailto:ann@empty.farm.test": "broken name",
		"mailto:ann@missing.farm.test": "broken name", "mailto:ann@broken.farm.test": "unsure name", "mailto:ann@mail.farm.test,b@missing.farm.test": "broken name",
		"http://missing.farm.test/": "broken name", "http://broken.farm.test/": "unsure name", "ftp://missing.farm.test/file": "broken name", "gopher://broken.farm.test/": "unsure name",
	} {
		f.add(url, "a name", right)
		f.links[len(f.links)-1].Named = true
	}
	for _, url := range []string{"mailto:ann@", "mailto:@mail.farm.test", "mailto:a@@mail.farm.test"} {
		f.add(url, "no address", "broken malformed")
	}
	return nil
}

// Resolver returns a resolver for the names of the farm.
func (f *Farm) Resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		here, there := net.Pipe()
		go answerNames(there)
		return here, nil
	}}
}

// answerNames answers queries over a stream (RFC 1035 4.2.2).
func answerNames(conn net.Conn) {
	defer conn.Close()
	for {
		var head [2]byte
		if _, err := io.ReadFull(conn, head[:]); err != nil {
			return
		}
		msg := make([]byte, int(head[0])<<8|int(head[1]))
		if _, err := io.ReadFull(conn, msg); err != nil {
			return
		}
		var m dnsmessage.Message
		if m.Unpack(msg) != nil || len(m.Questions) != 1 {
			return
		}
		answerName(&m)
		out, err := m.Pack()
		if err != nil {
			return
		}
		if _, err := conn.Write(append([]byte{byte(len(out) >> 8), byte(len(out))}, out...)); err != nil {
			return
		}
	}
}

func answerName(m *dnsmessage.Message) {
	q := m.Questions[0]
	m.Response, m.Authoritative, m.Additionals = true, true, nil
	x, ok := zone[strings.ToLower(q.Name.String())]
	add := func(body dnsmessage.ResourceBody) {
		m.Answers = append(m.Answers, dnsmessage.Resource{Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class}, Body: body})
	}
	switch {
	case !ok:
		m.RCode = dnsmessage.RCodeNameError
	case x.broken:
		m.RCode = dnsmessage.RCodeServerFailure
	case q.Type == dnsmessage.TypeMX && x.mx != "":
		add(&dnsmessage.MXResource{MX: dnsmessage.MustNewName(x.mx)})
	case q.Type == dnsmessage.TypeA && x.a:
		add(&dnsmessage.AResource{A: [4]byte{127, 0, 7, 250}})
	}
}
