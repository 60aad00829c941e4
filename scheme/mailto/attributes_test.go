package mailto_test

import (
	"context"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/scheme/mailto"
	"locator/scheme/mailto/smtptest"
)

// zone has the records of a name: its mail exchangers as "10 host.", and its address. A name
// without records does not exist; "broken" is a failure of the server.
type zone map[string][]string

// resolver returns a resolver that knows a zone.
func (z zone) resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		here, there := net.Pipe()
		go z.serve(there)
		return here, nil
	}}
}

// serve answers queries over a stream (RFC 1035 4.2.2).
func (z zone) serve(conn net.Conn) {
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
		z.answer(&m)
		out, err := m.Pack()
		if err != nil {
			return
		}
		if _, err := conn.Write(append([]byte{byte(len(out) >> 8), byte(len(out))}, out...)); err != nil {
			return
		}
	}
}

func (z zone) answer(m *dnsmessage.Message) {
	q := m.Questions[0]
	m.Response, m.Authoritative, m.Additionals = true, true, nil
	records, ok := z[strings.ToLower(q.Name.String())]
	if !ok {
		m.RCode = dnsmessage.RCodeNameError
	}
	add := func(body dnsmessage.ResourceBody) {
		m.Answers = append(m.Answers, dnsmessage.Resource{Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class}, Body: body})
	}
	for _, r := range records {
		pref, host, isMX := strings.Cut(r, " ")
		switch {
		case r == "broken":
			m.RCode = dnsmessage.RCodeServerFailure
		case isMX && q.Type == dnsmessage.TypeMX:
			add(&dnsmessage.MXResource{Pref: uint16(len(pref)), MX: dnsmessage.MustNewName(host)})
		case !isMX && q.Type == dnsmessage.TypeA:
			add(&dnsmessage.AResource{A: [4]byte(net.ParseIP(r).To4())})
		}
	}
}

func names(z zone, change ...func(*client.Options)) *client.Client {
	o := client.Options{Registry: scheme.NewRegistry(mailto.New()), Resolver: z.resolver(), Limits: scheme.Limits{Idle: 10 * time.Second}}
	for _, f := range change {
		f(&o)
	}
	return client.New(o)
}

func attributes(t *testing.T, c *client.Client, url string, o scheme.AttributesOptions) ([]string, error) {
	t.Helper()
	defer c.Close()
	u, err := locator.Current.Parse(url)
	if err != nil {
		t.Fatal(err)
	}
	res, err := c.Attributes(t.Context(), scheme.Request{URL: u}, &o)
	if err != nil {
		return nil, err
	}
	var list []string
	for _, m := range res.Attr.More {
		list = append(list, m.Block+" "+m.Name+" "+m.Value)
	}
	return list, nil
}

// The domains are looked up, and no server is asked.
//
// Covers: S10, A8
func TestAttributes(t *testing.T) {
	t.Parallel()
	z := zone{
		"two.example.": {"xx mx2.two.example.", "x mx1.two.example."}, "one.example.": {"192.0.2.1"}, "null.example.": {" ."}, "broken.example.": {"broken"}, "empty.example.": {},
		"xn--bcher-kva.example.": {"x mx.two.example."}, "odd.example.": {"x a\\b.example.", "xx mx.two.example."},
	}
	for url, want := range map[string]any{
		"mailto:a@two.example":                                []string{"two.example mx 1 mx1.two.example", "two.example mx 2 mx2.two.example"},
		"mailto:a@TWO.example,b@two.example?cc=c@one.example": []string{"TWO.example mx 1 mx1.two.example", "TWO.example mx 2 mx2.two.example", "one.example address one.example"},
		"mailto:a@one.example":                                []string{"one.example address one.example"},
		"mailto:a@b%C3%BCcher.example":                        []string{"xn--bcher-kva.example mx 1 mx.two.example"},
		"mailto:a@%5B192.0.2.7%5D":                            []string{"[192.0.2.7] address 192.0.2.7"},
		"mailto:?subject=x":                                   []string(nil),
		"mailto:a@null.example":                               scheme.CodeNotFound,
		"mailto:a@none.example":                               scheme.CodeUnreachable,
		"mailto:a@empty.example":                              scheme.CodeUnreachable,
		"mailto:a@broken.example":                             scheme.CodeUnreachable,
		"mailto:a@b_c.example":                                scheme.CodeMalformed,
		"mailto:a@%5Bx%5D":                                    scheme.CodeMalformed,
		"mailto:a@two.example%0A":                             scheme.CodeRefused,
	} {
		dialled := 0
		c := names(z, func(o *client.Options) {
			o.Dial = func(context.Context, string, string) (net.Conn, error) { dialled++; return nil, io.EOF }
		})
		got, err := attributes(t, c, url, scheme.AttributesOptions{})
		if code, isCode := want.(scheme.Code); isCode && client.CodeOf(err) != code || !isCode && (err != nil || !slices.Equal(got, want.([]string))) {
			t.Errorf("%s: %q, %v; want %v", url, got, err, want)
		}
		if dialled > 0 {
			t.Errorf("%s: %d connections", url, dialled)
		}
	}
	c := names(z)
	defer c.Close()
	u, _ := locator.Current.Parse("mailto:a@null.example")
	if _, err := c.Check(t.Context(), scheme.Request{URL: u}, &scheme.CheckOptions{Verify: true}); client.CodeOf(err) != scheme.CodeNotFound {
		t.Errorf("Check: %v", err)
	}
}

// list returns n addresses.
func list(n int) string {
	var all []string
	for i := range n {
		all = append(all, "x"+strconv.Itoa(i+1)+"@to.example")
	}
	return strings.Join(all, ",")
}

// Verify asks the mail exchangers, the best one first, and sends no mail.
//
// Covers: A8, P5, T135
func TestVerify(t *testing.T) {
	t.Parallel()
	z := zone{"to.example.": {"x dead.to.example.", "xx mx.to.example."}, "dead.to.example.": {"192.0.2.1"}, "mx.to.example.": {"192.0.2.2"}}
	for name, tt := range map[string]struct {
		server []smtptest.Option
		url    string
		want   string // of the last attribute
		code   scheme.Code
	}{
		"accepted":       {[]smtptest.Option{smtptest.Known("bob@to.example")}, "mailto:bob@to.example", "accepted by mx.to.example", scheme.CodeOK},
		"refused":        {[]smtptest.Option{smtptest.Known("eve@to.example")}, "mailto:bob@to.example", "", scheme.CodeNotFound},
		"many":           {[]smtptest.Option{smtptest.Known("x1@to.example")}, "mailto:" + list(100), "refused by mx.to.example: 550 5.1.1 <x20@to.example>: no such user", scheme.CodeOK},
		"one of two":     {[]smtptest.Option{smtptest.Known("eve@to.example")}, "mailto:eve@to.example,bob@to.example", "refused by mx.to.example: 550 5.1.1 <bob@to.example>: no such user", scheme.CodeOK},
		"catch-all":      {nil, "mailto:bob@to.example", "inconclusive: mx.to.example accepts any address of the domain", scheme.CodeOK},
		"grey":           {[]smtptest.Option{smtptest.Refuse("bob@to.example", "450 4.7.1 later")}, "mailto:bob@to.example", "inconclusive: mx.to.example answers 450 4.7.1 later to RCPT TO", scheme.CodeOK},
		"not from here":  {[]smtptest.Option{smtptest.Refuse("bob@to.example", "554 5.7.1 blocked")}, "mailto:bob@to.example", "inconclusive: mx.to.example answers 554 5.7.1 blocked to RCPT TO", scheme.CodeOK},
		"no null sender": {[]smtptest.Option{smtptest.Reply("MAIL", "550 5.1.8 no\r\n")}, "mailto:bob@to.example", "inconclusive: mx.to.example answers 550 5.1.8 no to MAIL FROM", scheme.CodeOK},
		"no utf8":        {[]smtptest.Option{smtptest.Without("SMTPUTF8")}, "mailto:b%C3%B6b@to.example", "inconclusive: mx.to.example does not offer SMTPUTF8", scheme.CodeOK},
		"busy":           {[]smtptest.Option{smtptest.Reply("", "421 4.3.2 busy\r\n")}, "mailto:bob@to.example", "", scheme.CodeUnreachable},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, tt.server...)
			c := names(z, func(o *client.Options) {
				o.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
					if addr != "192.0.2.2:25" {
						return nil, &net.OpError{Op: "dial", Net: network, Err: io.ErrClosedPipe}
					}
					var d net.Dialer
					return d.DialContext(ctx, network, s.Addr())
				}
			})
			got, err := attributes(t, c, tt.url, scheme.AttributesOptions{Verify: true})
			if client.CodeOf(err) != tt.code || err == nil && !strings.HasSuffix(got[len(got)-1], " probe "+tt.want) {
				t.Errorf("%q, %v; want %q", got, err, tt.want)
			}
			if n := len(s.Lines()); n > 200 {
				t.Errorf("the server got %d lines", n)
			}
			for _, line := range s.Lines() {
				if strings.HasPrefix(line, "DATA") || strings.HasPrefix(line, "MAIL") && !strings.HasPrefix(line, "MAIL FROM:<>") {
					t.Errorf("the server got %q", line)
				}
			}
			if len(s.Mails()) > 0 {
				t.Error("a mail was sent")
			}
		})
	}
}
