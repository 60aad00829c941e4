package schemetest

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net"
	"strconv"
	"strings"
	"time"

	"locator"
	"locator/scheme"
	"locator/scheme/session"
	"locator/wire"
)

// fake is a scheme for the tests of the suite. Its URLs are those of ftp, so that every duty
// applies; its protocol is that of fakeServer. With a flaw it breaks a duty.
type fake struct {
	flaw string
	tls  *tls.Config // of the client; nil without TLS
}

func (f fake) Syntax() *locator.Syntax {
	s := *locator.SyntaxOf("ftp")
	if f.flaw == "another grammar" {
		s.Productions = strings.Replace(s.Productions, `"ftp://"`, `"ftp:"`, 1)
	}
	s.TLS = f.tls != nil
	return &s
}

// Steps implements scheme.Explainer.
func (f fake) Steps(u locator.URL) ([]string, error) {
	view, _ := locator.As[*locator.FTP](u)
	port, _ := u.PortNumber()
	steps := []string{"CONNECT " + net.JoinHostPort(view.Host, strconv.Itoa(int(port)))}
	if user, ok := view.User.Get(); ok {
		login, err := wire.Secret("LOGIN", "login", user+" "+view.Password.Or(""))
		if err != nil {
			return nil, err
		}
		steps = append(steps, login.String())
	}
	verb := "GET"
	if f.flaw == "tells another dialogue" {
		verb = "RETR"
	}
	l, err := wire.Command(verb, "path", strings.Join(append(view.Dirs, view.Name.Or("")), "/"))
	return append(steps, l.String()), err
}

// sessions is a fake whose URLs locate sessions: the contents of a file, and then the connection.
type sessions struct{ fake }

func (f sessions) Access(ctx context.Context, env *scheme.Env, r scheme.Request, _ scheme.AccessOptions) (*scheme.Resource, error) {
	v, path, err := f.visit(ctx, env, r.URL)
	if err != nil {
		return nil, err
	}
	rest, err := v.ask("GET", path)
	if _, bad := strconv.Atoi(rest); err == nil && bad != nil {
		err = scheme.Fail(scheme.CodeProtocol, "a session has a size here: it is that of a file")
	}
	if err != nil {
		v.end(false)
		return nil, err
	}
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindSession, Session: fakeTerminal{v}}, nil
}

type fakeTerminal struct{ v *visit }

func (t fakeTerminal) Read(p []byte) (int, error)  { return t.v.conn.Reader().Read(p) }
func (t fakeTerminal) Write(p []byte) (int, error) { return t.v.conn.NetConn().Write(p) }
func (t fakeTerminal) Close() error                { t.v.end(false); return nil }
func (t fakeTerminal) Resize(int, int) error       { return nil }
func (t fakeTerminal) Advice() []string            { return nil }
func (t fakeTerminal) Secret() (string, bool)      { return "", false }
func (t fakeTerminal) Modes() <-chan session.Mode  { return nil }
func (t fakeTerminal) CloseWrite() error           { return nil }
func (t fakeTerminal) Send(session.Signal) error   { return errors.ErrUnsupported }

// visit is a logged-in connection.
type visit struct {
	f       fake
	conn    *wire.Conn
	ctx     context.Context
	env     *scheme.Env
	release func(reuse bool)
	unbind  func() bool
}

func (v *visit) end(reuse bool) { v.release(v.unbind() && reuse) }

func (f fake) visit(ctx context.Context, env *scheme.Env, u locator.URL) (*visit, string, error) {
	view, _ := locator.As[*locator.FTP](u)
	port, _ := u.PortNumber()
	addr := net.JoinHostPort(view.Host, strconv.Itoa(int(port)))
	user, _ := view.User.Get()
	password, has := view.Password.Get()
	if user != "" && !has {
		var err error
		if user, password, has, err = env.Login(ctx, scheme.LoginRequest{Scheme: "ftp", Host: view.Host, Port: port, User: view.User}); err != nil {
			return nil, "", err
		} else if !has {
			return nil, "", scheme.Fail(scheme.CodeLoginNeeded, "no password is known for %s", user)
		}
	}
	c, _, release, err := env.Keep(ctx, addr+" "+user+" "+password, func(ctx context.Context) (scheme.Kept, error) {
		conn, err := f.dial(ctx, env, addr)
		if err != nil {
			return nil, err
		}
		line := env.Limits.Line
		if f.flaw == "long lines" {
			line = 8 << 20
		}
		slowest := env.Limits.LineTime
		if f.flaw == "slow lines" {
			slowest = time.Hour
		}
		return wire.NewConn(conn, wire.Options{MaxLine: line, LineTime: slowest, Sent: env.Trace.OnSent, Received: env.Trace.OnReceived}), nil
	})
	if err != nil {
		return nil, "", err
	}
	v := &visit{f: f, conn: c.(*wire.Conn), ctx: ctx, env: env, release: release, unbind: func() bool { return true }}
	switch f.flaw {
	case "ignores cancel", "never closes", "forgets a break": // the client cancels the context of what is closed
	case "impatient":
		soon, cancel := context.WithTimeout(ctx, 30*time.Millisecond)
		context.AfterFunc(soon, cancel)
		v.unbind = scheme.Bind(soon, c)
	default:
		v.unbind = scheme.Bind(ctx, c)
	}
	if user != "" {
		if err := v.login(user, password); err != nil {
			v.end(false)
			return nil, "", err
		}
	}
	path := strings.Join(append(view.Dirs, view.Name.Or("")), "/")
	if f.flaw == "cuts at delimiters" {
		path, _, _ = strings.Cut(path, "\x00")
		path, _, _ = strings.Cut(path, "\r")
	}
	return v, path, nil
}

func (f fake) dial(ctx context.Context, env *scheme.Env, addr string) (net.Conn, error) {
	if f.flaw == "dials by itself" {
		return net.Dial("tcp", addr)
	}
	if f.flaw == "leaks a goroutine" {
		go time.Sleep(5 * time.Second)
	}
	if f.flaw == "dials without the context" {
		ctx = context.Background()
	}
	conn, err := env.Dial(ctx, scheme.Dial{Purpose: scheme.ForControl, Addr: addr})
	if err != nil || f.tls == nil {
		return conn, err
	}
	return wire.TLSClient(conn, f.tls), nil
}

func (v *visit) login(user, password string) error {
	command := wire.Secret
	if v.f.flaw == "password in the trace" {
		command = wire.Command
	}
	l, err := command("LOGIN", "login", user+" "+password)
	if err != nil {
		return err
	}
	if _, err := v.say(l); err != nil {
		if v.f.flaw == "password in an error" {
			return scheme.Fail(scheme.CodeLoginNeeded, "%q is refused for %s", password, user)
		}
		return err
	}
	return nil
}

// ask sends "verb path" and returns the text after "OK" in the reply.
func (v *visit) ask(verb, path string) (string, error) {
	if v.f.flaw == "writes past wire" {
		if _, err := io.WriteString(v.conn.NetConn(), verb+" "+path+"\r\n"); err != nil {
			return "", err
		}
		return v.reply()
	}
	l, err := wire.Command(verb, "path", path)
	if err != nil {
		return "", err
	}
	return v.say(l)
}

func (v *visit) say(l wire.Line) (string, error) {
	if err := v.conn.Send(l); err != nil {
		return "", err
	}
	return v.reply()
}

func (v *visit) reply() (string, error) {
	line, err := v.conn.ReadLine()
	if err != nil {
		if v.f.flaw == "every error is not found" {
			err = scheme.Fail(scheme.CodeNotFound, "there is no such file: %w", err)
		}
		return "", err
	}
	word, rest, _ := strings.Cut(line, " ")
	shown := wire.Escape(rest)
	if v.f.flaw == "raw replies" {
		shown = rest
	}
	switch {
	case word == "OK":
		return rest, nil
	case word == "NO" && v.f.flaw == "missing is a protocol error":
		return "", scheme.Replied(scheme.CodeProtocol, shown, "refused by the server")
	case word == "NO" && strings.HasPrefix(rest, "login") && v.f.flaw != "login is not found":
		return "", scheme.Replied(scheme.CodeLoginNeeded, shown, "the server refused the login")
	case word == "NO":
		return "", scheme.Replied(scheme.CodeNotFound, shown, "there is no such file")
	case word == "HAVE":
		return "", scheme.Fail(scheme.CodeUsage, "something has that name: %w", fs.ErrExist)
	case word == "FULL":
		return "", scheme.Fail(scheme.CodeUsage, "the directory is not empty")
	case word == "BUSY" && v.f.flaw != "busy is a protocol error":
		return "", scheme.Replied(scheme.CodeUnavailable, shown, "the server is busy; try again later")
	case v.f.flaw == "takes nonsense":
		return "0", nil
	}
	return "", scheme.Replied(scheme.CodeProtocol, wire.Escape(line), "a reply that is none")
}

func (f fake) Access(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.AccessOptions) (*scheme.Resource, error) {
	if u, _ := r.URL.Path(); u == "" || strings.HasSuffix(u, "/") {
		return &scheme.Resource{URL: r.URL, Kind: scheme.KindListing, Entries: f.entries(ctx, env, r, io.Discard)}, nil
	}
	v, path, err := f.visit(ctx, env, r.URL)
	if err != nil {
		return nil, err
	}
	rest, err := v.ask("GET", path)
	if name, moved := strings.CutPrefix(rest, "AT "); moved {
		v.end(true)
		return f.refer(r.URL, name)
	}
	size, bad := strconv.ParseInt(rest, 10, 64)
	if err == nil && bad != nil {
		err = scheme.Fail(scheme.CodeProtocol, "the size %q is no number", wire.Escape(rest))
	}
	if err != nil {
		v.end(false)
		return nil, err
	}
	res := &scheme.Resource{URL: r.URL, Kind: scheme.KindObject, Attr: scheme.Attr{Size: scheme.Known(size)}}
	body := &fakeBody{v: v, left: size}
	switch f.flaw {
	case "loses a byte":
		body.left, body.lost = max(0, size-1), 1
	case "wrong size":
		res.Attr.Size = scheme.Known(size + 1)
	case "claims a range":
		res.Range = o.Range
	case "claims that nothing changed":
		if !o.If.ModifiedSince.IsZero() {
			body.Close()
			return &scheme.Resource{URL: r.URL, Kind: scheme.KindObject, NotModified: true}, nil
		}
	case "reads ahead":
		b, err := io.ReadAll(body)
		if err != nil {
			body.Close()
			return nil, err
		}
		res.Body = io.NopCloser(strings.NewReader(string(b)))
		return res, nil
	}
	res.Body = body
	if f.flaw == "blames the server" {
		res.Body = blamer{body}
	}
	return res, nil
}

// blamer is a body whose errors are all of the server.
type blamer struct{ io.ReadCloser }

func (b blamer) WriteTo(w io.Writer) (int64, error) {
	n, err := io.Copy(w, b.ReadCloser)
	if err != nil {
		err = scheme.Fail(scheme.CodeBroken, "the server sends no more: %w", io.EOF)
	}
	return n, err
}

func (f fake) refer(from locator.URL, name string) (*scheme.Resource, error) {
	view, _ := locator.As[*locator.FTP](from)
	next := *view
	next.Dirs, next.Name = nil, locator.Some(name)
	u, err := locator.Build(&next)
	res := &scheme.Resource{URL: from, Kind: scheme.KindReferral, Next: []scheme.Entry{{URL: u}}, Hop: scheme.HopRedirect}
	switch f.flaw {
	case "refers without a hop":
		res.Hop = scheme.HopDirect
	case "refers to nothing":
		res.Next = nil
	}
	return res, err
}

type fakeBody struct {
	v          *visit
	left, lost int64
	done       bool
}

func (b *fakeBody) Read(p []byte) (int, error) {
	if b.left == 0 {
		b.finish(b.lost == 0)
		return 0, io.EOF
	}
	n, err := b.v.conn.Reader().Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	if err != nil && b.v.f.flaw == "short body" {
		b.finish(false)
		return n, io.EOF
	}
	if errors.Is(err, io.EOF) {
		err = scheme.Fail(scheme.CodeBroken, "the body lacks %d bytes: %w", b.left, io.ErrUnexpectedEOF)
	}
	return n, err
}

func (b *fakeBody) finish(reuse bool) {
	if !b.done {
		b.done = true
		b.v.end(reuse)
	}
}

func (b *fakeBody) Close() error {
	switch b.v.f.flaw {
	case "closes twice":
		b.v.conn.Close()
		b.finish(false)
	case "never closes":
	case "spoils the pool":
		b.finish(true)
	default:
		b.finish(false)
	}
	return nil
}

func (f fake) List(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.ListOptions) (*scheme.Resource, error) {
	if o.Copy == nil || f.flaw == "copies no listing" {
		o.Copy = io.Discard
	}
	res := &scheme.Resource{URL: r.URL, Kind: scheme.KindListing, Entries: f.entries(ctx, env, r, o.Copy)}
	if f.flaw == "lists without a kind" {
		res.Kind = scheme.KindUnknown
	}
	return res, nil
}

func (f fake) entries(ctx context.Context, env *scheme.Env, r scheme.Request, to io.Writer) iter.Seq2[scheme.Entry, error] {
	return func(yield func(scheme.Entry, error) bool) {
		v, path, err := f.visit(ctx, env, r.URL)
		f.list(v, path, err, r, to, yield)
	}
}

func (f fake) list(v *visit, path string, err error, r scheme.Request, to io.Writer, yield func(scheme.Entry, error) bool) {
	if err != nil {
		yield(scheme.Entry{}, err)
		return
	}
	whole := false
	defer func() {
		if f.flaw != "forgets a break" || whole {
			v.end(whole)
		}
	}()
	rest, err := v.ask("LIST", path)
	if err == nil && rest != "" {
		err = scheme.Fail(scheme.CodeProtocol, "a folder has no size")
	}
	if err != nil {
		yield(scheme.Entry{}, err)
		return
	}
	octets := int64(0)
	for n := 0; ; n++ {
		line, err := v.conn.ReadLine()
		if err != nil && f.flaw == "reads on after an error" && v.ctx.Err() == nil {
			continue
		}
		if err != nil {
			yield(scheme.Entry{}, err)
			return
		}
		if line == "." {
			whole = true
			return
		}
		if _, err := io.WriteString(to, line+"\n"); err != nil {
			yield(scheme.Entry{}, err)
			return
		}
		octets += int64(len(line))
		if limits := v.env.Limits; (n >= limits.Entries || octets > limits.Listing) && f.flaw != "no limits" {
			yield(scheme.Entry{}, scheme.Fail(scheme.CodeBroken, "the listing passed its limit"))
			return
		}
		if f.flaw == "no limits" && n == 10_000 { // so that the test ends
			return
		}
		e, err := f.entry(r.URL, line)
		if f.flaw == "loses names" && strings.Contains(e.Name, "%") {
			continue
		}
		if !yield(e, err) || err != nil {
			return
		}
	}
}

// entry parses a line "F size name" or "D name".
func (f fake) entry(dir locator.URL, line string) (scheme.Entry, error) {
	view, _ := locator.As[*locator.FTP](dir)
	word, rest, _ := strings.Cut(line, " ")
	e := scheme.Entry{Kind: scheme.KindListing, Name: rest}
	next := *view
	next.Dirs, next.Name = append(append([]string{}, view.Dirs...), rest), locator.Some("")
	if word == "F" {
		size, name, _ := strings.Cut(rest, " ")
		n, err := strconv.ParseInt(size, 10, 64)
		if err != nil {
			return e, scheme.Fail(scheme.CodeProtocol, "the size of an entry is no number")
		}
		e = scheme.Entry{Kind: scheme.KindObject, Name: name, Attr: scheme.Attr{Size: scheme.Known(n)}}
		if f.flaw == "decodes names twice" {
			name = locator.Decode(name)
		}
		next.Dirs, next.Name = view.Dirs, locator.Some(name)
	} else if word != "D" {
		return e, scheme.Fail(scheme.CodeProtocol, "an entry that is none: %s", wire.Escape(line))
	}
	if f.flaw == "names for people" {
		e.Name = "This is " + e.Name
	}
	var err error
	e.URL, err = locator.Build(&next)
	return e, err
}

func (f fake) Attributes(ctx context.Context, env *scheme.Env, r scheme.Request, _ scheme.AttributesOptions) (*scheme.Resource, error) {
	v, path, err := f.visit(ctx, env, r.URL)
	if err != nil {
		return nil, err
	}
	rest, err := v.ask("SIZE", path)
	v.end(err == nil)
	if err != nil {
		return nil, err
	}
	size, err := strconv.ParseInt(rest, 10, 64)
	if f.flaw == "wrong size" {
		size++
	}
	res := &scheme.Resource{URL: r.URL, Kind: scheme.KindObject, Attr: scheme.Attr{Size: scheme.Known(size)}}
	if f.flaw == "attributes of no URL" {
		res.URL = locator.URL{}
	}
	return res, err
}

func (f fake) Replace(ctx context.Context, env *scheme.Env, r scheme.Request, b scheme.Body, _ scheme.WriteOptions) (*scheme.Resource, error) {
	verb := "PUT"
	if f.flaw == "replace appends" {
		verb = "APPEND"
	}
	return f.send(ctx, env, verb, r, b)
}

func (f fake) Update(ctx context.Context, env *scheme.Env, r scheme.Request, b scheme.Body, _ scheme.WriteOptions) (*scheme.Resource, error) {
	verb := "APPEND"
	if f.flaw == "update replaces" {
		verb = "PUT"
	}
	return f.send(ctx, env, verb, r, b)
}

// send sends the body in chunks, each preceded by a line with its length. The last has length 0.
func (f fake) send(ctx context.Context, env *scheme.Env, verb string, r scheme.Request, b scheme.Body) (*scheme.Resource, error) {
	v, path, err := f.visit(ctx, env, r.URL)
	if err != nil {
		return nil, err
	}
	whole := false
	defer func() { v.end(whole) }()
	if _, err := v.ask(verb, path); err != nil {
		return nil, err
	}
	chunk, sent := make([]byte, 8<<10), int64(0)
	for {
		n, err := b.Read(chunk)
		sent += int64(n)
		if n > 0 {
			if _, err := fmt.Fprintf(v.conn.NetConn(), "%d\r\n%s", n, chunk[:n]); err != nil {
				return nil, err
			}
		}
		if err == io.EOF || err != nil && f.flaw == "takes half a body" {
			break
		}
		if err != nil {
			return nil, scheme.Fail(scheme.CodeLocal, "reading what to send: %w", err)
		}
	}
	if size, ok := b.Size.Get(); ok && size != sent && f.flaw != "takes any size" && f.flaw != "takes half a body" {
		return nil, scheme.Fail(scheme.CodeLocal, "the body was announced with %d bytes and has %d", size, sent)
	}
	if f.flaw != "asks for no commit" {
		if err := b.Pass(); err != nil {
			return nil, scheme.Fail(scheme.CodeLocal, "%w", err)
		}
	}
	end, err := wire.Bare("0")
	if err != nil {
		return nil, err
	}
	if _, err := v.say(end); err != nil {
		return nil, err
	}
	whole = true
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindObject, Body: io.NopCloser(strings.NewReader(""))}, nil
}
