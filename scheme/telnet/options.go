package telnet

import (
	"fmt"
	"slices"
	"strings"

	"locator/scheme"
	"locator/scheme/session"
	"locator/scheme/telnet/internal/option"
	"locator/wire"
)

// agreement says how an option is handled.
type agreement struct {
	local, remote bool                           // whether the client lets it be enabled at its end, at the server's
	enabled       func(d *dialogue) error        // after it was enabled at the client's end; may be nil
	sub           func(d *dialogue, data []byte) // answers a subnegotiation; may be nil
}

// agreements returns the table of the options that the client agrees to. It refuses all others.
func agreements() map[option.Option]agreement {
	return map[option.Option]agreement{
		option.Binary:       {local: true, remote: true},
		option.Echo:         {remote: true},
		option.SGA:          {local: true, remote: true},
		option.TerminalType: {local: true, sub: (*dialogue).terminalType},
		option.NAWS:         {local: true, enabled: (*dialogue).sendSize},
		option.NewEnviron:   {local: true, sub: (*dialogue).environment},
		option.Charset:      {remote: true, sub: (*dialogue).charset},
	}
}

// The commands in subnegotiations of TERMINAL-TYPE (RFC 1091), NEW-ENVIRON (RFC 1572) and CHARSET
// (RFC 2066).
const (
	subIs, subSend                               = 0, 1
	charsetRequest, charsetAccept, charsetRefuse = 1, 2, 3
)

// dialogue is the state of the options of a session.
type dialogue struct {
	option.Negotiation
	table    map[option.Option]agreement
	trace    *scheme.Trace
	storm    *storm
	asked    bool                 // the server has caused the next reply
	send     func(b []byte) error // queues a command; it never blocks
	changed  func()               // the mode of the terminal may have changed
	terminal session.Terminal
	types    []string // names of the terminal, best first
	nextType int      // index of the next name; len(types) for the last one once more
	charsets []string // names of the character set of the user, in upper case
	err      error    // of send, while a command is handled
}

func newDialogue(t session.Terminal, charset string, env *scheme.Env, send func([]byte) error, changed func()) *dialogue {
	d := &dialogue{table: agreements(), trace: env.Trace, storm: newStorm(env.Clock), send: send, changed: changed, terminal: t,
		types: terminalTypes(t.Type, charset), charsets: charsetNames(charset)}
	d.Agrees = func(o option.Option, local bool) bool {
		if local {
			return d.table[o].local
		}
		return d.table[o].remote
	}
	d.Send = func(c option.Command, o option.Option) { d.reply([]byte{byte(c), byte(o)}, c.String()+" "+o.String()) }
	d.Changed = func(o option.Option, local, on bool) {
		if f := d.table[o].enabled; f != nil && local && on && d.err == nil {
			d.err = f(d)
		}
		d.changed()
	}
	return d
}

// reply sends IAC and a command.
func (d *dialogue) reply(command []byte, shown string) {
	if d.err != nil {
		return
	}
	if d.asked {
		if d.err = d.storm.reply(); d.err != nil {
			return
		}
	}
	d.trace.OnSent(shown)
	d.err = d.send(append([]byte{byte(option.IAC)}, command...))
}

// sendSub sends a subnegotiation. shown describes its data.
func (d *dialogue) sendSub(o option.Option, data []byte, shown string) {
	b := []byte{byte(option.SB), byte(o)}
	b = append(encode(b, data, true), byte(option.IAC), byte(option.SE))
	d.reply(b, "SB "+o.String()+" "+wire.Escape(shown))
}

// command traces a command without an option. None of them asks the client for anything.
func (d *dialogue) command(c option.Command) { d.trace.OnReceived(c.String()) }

// negotiate handles WILL, WONT, DO or DONT.
func (d *dialogue) negotiate(c option.Command, o option.Option) error {
	d.trace.OnReceived(c.String() + " " + o.String())
	d.asked = true
	d.Receive(c, o)
	d.asked = false
	return d.err
}

// subnegotiate answers a subnegotiation of an option that is enabled, and ignores any other.
func (d *dialogue) subnegotiate(o option.Option, data []byte) error {
	shown := fmt.Sprintf("(%d bytes)", len(data))
	a := d.table[o]
	if a.sub == nil || !d.Enabled(o, a.local) {
		d.trace.OnReceived("SB " + o.String() + " " + shown)
		return nil
	}
	d.trace.OnReceived("SB " + o.String() + " " + subName(o, data))
	d.asked = true
	a.sub(d, data)
	d.asked = false
	return d.err
}

// binary reports whether the server sends in BINARY (RFC 856).
func (d *dialogue) binary() bool { return d.Enabled(option.Binary, false) }

// mode returns the mode that the options of the server ask for. A server that does not suppress Go
// Ahead expects whole lines (RFC 1123 3.2.2).
func (d *dialogue) mode() session.Mode {
	return session.Mode{RemoteEcho: d.Enabled(option.Echo, false), LineMode: !d.Enabled(option.SGA, false)}
}

// sendSize sends the size of the window (RFC 1073). 0 is an unknown size.
func (d *dialogue) sendSize() error {
	w, h := uint16(min(max(d.terminal.Width, 0), 0xFFFF)), uint16(min(max(d.terminal.Height, 0), 0xFFFF))
	d.sendSub(option.NAWS, []byte{byte(w >> 8), byte(w), byte(h >> 8), byte(h)}, fmt.Sprintf("%d %d", w, h))
	return d.err
}

// resize notes the size of the window, and sends it if it is new and the server wants to know it.
func (d *dialogue) resize(width, height int) error {
	if width == d.terminal.Width && height == d.terminal.Height {
		return nil
	}
	d.terminal.Width, d.terminal.Height = width, height
	if !d.Enabled(option.NAWS, true) {
		return nil
	}
	return d.sendSize()
}

// terminalType answers SEND with the next name. After the last name that one is sent once more, and
// then the first again (RFC 1091).
func (d *dialogue) terminalType(data []byte) {
	if len(data) != 1 || data[0] != subSend {
		return
	}
	name := d.types[min(d.nextType, len(d.types)-1)]
	d.nextType = (d.nextType + 1) % (len(d.types) + 1)
	d.sendSub(option.TerminalType, append([]byte{subIs}, name...), "IS "+name)
}

// environment answers SEND with no variable at all.
func (d *dialogue) environment(data []byte) {
	if len(data) > 0 && data[0] == subSend {
		d.sendSub(option.NewEnviron, []byte{subIs}, "IS")
	}
}

// charset accepts the character set of the user if the server offers it (RFC 2066).
func (d *dialogue) charset(data []byte) {
	if len(data) == 0 || data[0] != charsetRequest {
		return
	}
	list := data[1:]
	if rest, ok := strings.CutPrefix(string(list), "[TTABLE]"); ok && len(rest) > 0 {
		list = []byte(rest[1:]) // the version; translation tables are not accepted
	}
	if len(list) > 1 {
		for name := range strings.SplitSeq(string(list[1:]), string(list[:1])) {
			if slices.Contains(d.charsets, strings.ToUpper(name)) {
				d.sendSub(option.Charset, append([]byte{charsetAccept}, name...), "ACCEPTED "+name)
				return
			}
		}
	}
	d.sendSub(option.Charset, []byte{charsetRefuse}, "REJECTED")
}

// subName describes a subnegotiation from the server.
func subName(o option.Option, data []byte) string {
	switch {
	case o == option.Charset && len(data) > 0 && data[0] == charsetRequest:
		return "REQUEST " + wire.Excerpt(string(data[1:]), 200)
	case o != option.Charset && len(data) > 0 && data[0] == subSend:
		return "SEND"
	}
	return fmt.Sprintf("(%d bytes)", len(data))
}
