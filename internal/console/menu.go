package console

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"locator/internal/lineedit"
	"locator/internal/units"
	"locator/scheme/session"
	"locator/wire"
)

// ParseEscape returns the character that opens the menu: a character, one with "^" before it, or -1
// for "none". ok is false for any other text.
func ParseEscape(s string) (escape int, ok bool) {
	switch {
	case s == "none":
		return -1, true
	case s == "^?":
		return 0x7F, true
	case len(s) == 2 && s[0] == '^' && (s[1] >= '@' && s[1] <= '_' || s[1] >= 'a' && s[1] <= 'z'):
		return int(s[1] & 0x1F), true
	case len(s) == 1 && s[0] > ' ' && s[0] < 0x7F:
		return int(s[0]), true
	}
	return 0, false
}

// escapeName returns the escape character as a user types it.
func (c *Session) escapeName() string {
	if c.Escape < ' ' || c.Escape == 0x7F {
		return "^" + string(rune(c.Escape^0x40))
	}
	return string(rune(c.Escape))
}

func (c *Session) escapeHint() string {
	if c.Escape < 0 {
		return "there is no escape character"
	}
	return "the escape character is " + c.escapeName()
}

// menuCommand is a command of the menu.
type menuCommand struct {
	name, help string
	run        func(c *Session, arg string) string // returns what to print
}

// menuCommands returns the commands of the menu. A command may be abbreviated.
func menuCommands() []menuCommand {
	return []menuCommand{
		{"quit", "end the session", func(c *Session, _ string) string { c.ended <- nil; return "" }},
		{"ayt", "ask the server whether it is there", func(c *Session, _ string) string { return c.sendCommand("ayt") }},
		{"ip", "interrupt the program that runs there", func(c *Session, _ string) string { return c.sendCommand("ip") }},
		{"brk", "send a break", func(c *Session, _ string) string { return c.sendCommand("brk") }},
		{"ao", "ask the server to drop its output", func(c *Session, _ string) string { return c.sendCommand("ao") }},
		{"send", "send one of these signals, or the escape character: escape", (*Session).sendCommand},
		{"status", "show the state of the session", func(c *Session, _ string) string { return c.status() }},
		{"suspend", "stop the program; the shell's fg resumes it", func(c *Session, _ string) string { return c.suspend() }},
		{"help", "list the commands", func(c *Session, _ string) string { return c.help() }},
	}
}

// menuSignals are the signals that send knows.
var menuSignals = map[string]session.Signal{
	"brk": session.Break, "ip": session.Interrupt, "ao": session.AbortOutput, "ayt": session.AreYouThere,
}

const (
	menuPrompt = "locator> "
	sendUsage  = "usage: send brk|ip|ao|ayt|escape"
)

// openMenu shows the prompt. The output of the server waits until the menu is closed.
func (c *Session) openMenu() {
	c.screen.Lock()
	c.menu = &lineedit.Editor{}
	io.WriteString(c.Out, "\r\n"+menuPrompt)
}

// closeMenu shows text, and then the output of the server again.
func (c *Session) closeMenu(text string) {
	if text != "" {
		text = strings.ReplaceAll(text, "\n", "\r\n") + "\r\n"
	}
	io.WriteString(c.Out, text)
	c.menu = nil
	c.screen.Unlock()
}

// typedInMenu handles a byte that is typed while the menu is open.
func (c *Session) typedInMenu(k byte) {
	switch c.menu.Edit(k, func(text string) { io.WriteString(c.Out, text) }) {
	case lineedit.Done:
		text, done := c.command(string(c.menu.Take()))
		if done {
			c.closeMenu(text)
			return
		}
		io.WriteString(c.Out, strings.ReplaceAll(text, "\n", "\r\n")+"\r\n"+menuPrompt)
	case lineedit.Interrupted, lineedit.Sent:
		c.closeMenu("")
	}
}

// command runs a command of the menu, and returns what to print. done reports whether the menu
// closes: it stays open after help and mistakes, so that the next line is not input of the session.
func (c *Session) command(line string) (text string, done bool) {
	name, arg, _ := strings.Cut(strings.TrimSpace(line), " ")
	if name == "" {
		return "", true
	}
	if name == "?" {
		name = "help"
	}
	var found []menuCommand
	for _, m := range menuCommands() {
		if m.name == name {
			found = []menuCommand{m}
			break
		}
		if strings.HasPrefix(m.name, name) {
			found = append(found, m)
		}
	}
	switch len(found) {
	case 1:
		text = found[0].run(c, strings.TrimSpace(arg))
		return text, found[0].name != "help" && text != sendUsage
	case 0:
		return fmt.Sprintf("unknown command %q; try: help", wire.TextLine(name)), false
	}
	return fmt.Sprintf("%q is short for several commands; try: help", wire.TextLine(name)), false
}

// sendCommand sends a signal or the escape character.
func (c *Session) sendCommand(arg string) string {
	if arg == "escape" && c.Escape >= 0 {
		b := []byte{byte(c.Escape)}
		c.later(func() error { _, err := c.session.Write(b); return err })
		return ""
	}
	signal, ok := menuSignals[arg]
	if !ok {
		return sendUsage
	}
	c.later(func() error {
		err := c.session.Send(signal)
		if errors.Is(err, errors.ErrUnsupported) {
			c.Say("the protocol has no signal " + arg)
		}
		return err
	})
	return ""
}

func (c *Session) help() string {
	var b strings.Builder
	for _, m := range menuCommands() {
		fmt.Fprintf(&b, "%-8s %s\n", m.name, m.help)
	}
	return b.String() + "An empty line returns to the session."
}

// status describes the session.
func (c *Session) status() string {
	mode := *c.mode.Load()
	echo, unit := "this program echoes", "characters"
	if mode.RemoteEcho {
		echo = "the server echoes"
	}
	if mode.LineMode {
		unit = "lines"
	}
	address := ""
	if c.Resource.Addr.IsValid() {
		address = " (" + c.Resource.Addr.String() + ")"
	}
	return fmt.Sprintf("connected to %s%s\n%s; input is sent in %s; %s received\n%s", c.Resource.URL.Redacted(), address, echo, unit, units.Count(int(c.output.n.Load()), "byte"), c.escapeHint())
}
