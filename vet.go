package locator

import (
	"strconv"
	"strings"
)

// Severity says how much a [Finding] matters.
type Severity uint8

// The severities.
const (
	Info    Severity = iota // good to know
	Warning                 // likely not what is wanted, or not safe to pass on
	Danger                  // access refuses it
)

// String is "info", "warning" or "danger".
func (s Severity) String() string {
	switch s {
	case Info:
		return "info"
	case Warning:
		return "warning"
	}
	return "danger"
}

// Finding is a hazard of a URL (RFC 1738 6): the grammar allows it, but a reader or a peer may come to harm.
type Finding struct {
	Code     string // names the hazard: docs/hazards.md lists them
	Message  string // what it is in this URL; never the password
	Section  string // of RFC 1738, or another RFC by its name, as in "RFC 1035 2.3.4"
	Severity Severity
}

// Vet finds the hazards of a URL, in the order of docs/hazards.md. It looks at the text alone: no name is resolved and
// no peer is asked. The zero URL has none.
func Vet(u URL) []Finding {
	var found []Finding
	if u.IsZero() {
		return nil
	}
	for _, h := range hazards() {
		h.find(u, func(message string) {
			found = append(found, Finding{Code: h.code, Message: message, Section: h.section, Severity: h.severity})
		})
	}
	return found
}

// hazard is one row of the table that Vet and docs/hazards.md are made of.
type hazard struct {
	code     string
	severity Severity
	section  string
	what     string // what is dangerous about it
	advice   string // what to do
	example  string // a URL of Current that has it
	find     func(u URL, found func(message string))
}

// hazards is the table.
func hazards() []hazard {
	return []hazard{
		{
			"password", Warning, "6", "The URL holds a password: whoever sees the URL has it. Histories, logs and Referer lines keep it.",
			"Leave the password out; it is asked for when the server asks, or comes from a netrc file.",
			"ftp://myname:secret@host.dom/motd", findPassword,
		},
		{
			"host-like-user", Warning, "3.1", `The user before the "@" reads like a host name, so that a person takes it for the host.`,
			`Look at what stands behind the last "@": that is the host.`,
			"ftp://www.bank.example@host.dom/", findHostLikeUser,
		},
		{
			"other-port", Info, "6", "The port is not the default of the scheme: another service may answer there.",
			"Make sure that the port is meant.",
			"gopher://host.dom:7070/", findOtherPort,
		},
		{
			"refused-port", Danger, "6", "The port belongs to another protocol, whose server may take the request for commands. All ports below 1024 are " +
				"reserved for named services; http and https are refused those only that the Fetch standard calls bad.",
			"Do not access it, unless you know the service; --allow-port then allows it.",
			"gopher://host.dom:25/0HELO%20host.dom", findRefusedPort,
		},
		{
			"no-port", Danger, "3.1", "The grammar sets no limit to a port, but TCP has none beyond 65535, and 0 is none.",
			"Correct the port, or leave it out.",
			"http://host.dom:65536/", findNoPort,
		},
		{
			"no-address", Danger, "3.1", "The host has four digit groups, and one is over 255: that is no address, and no name either.",
			"Correct the host.",
			"ftp://256.1.2.3/", findNoAddress,
		},
		{
			"ambiguous-address", Warning, "3.1", "A digit group of the host has a leading zero: some readers take it for octal, and reach another host.",
			"Write the groups without leading zeros.",
			"http://192.0.2.010/", findAmbiguousAddress,
		},
		{
			"local-address", Info, "6", "The host is this machine or one of a network without public addresses: the URL means something else to each reader.",
			"Do not follow it from a page that somebody else wrote.",
			"http://127.0.0.1/", findLocalAddress,
		},
		{
			"long-name", Warning, "RFC 1035 2.3.4", "A label of the host has more than 63 octets or the whole name more than 253: the domain name system has no such name.",
			"Correct the host.",
			"http://" + strings.Repeat("a", 64) + ".example/", findLongName,
		},
		{
			"control-octet", Danger, "6", "A part that becomes a line to the server holds an encoded CR, LF or NUL, or a blank or TAB where that is a delimiter: " +
				"sent as what it stands for, it would end the line or the field and begin another. No file name holds a NUL.",
			"Do not access it.",
			"ftp://host.dom/motd%0D%0ADELE%20motd", findControlOctet,
		},
		{
			"filled-form", Warning, "3.4.9", "The URL holds the answers to a Gopher+ form: access sends them, and may change something at the server.",
			"Access it only if that is meant. Listing, checking and the gateway never send it.",
			"gopher://host.dom/0ask%09%09+%091%0D%0A+-1%0D%0Ayes%0D%0A.%0D%0A", findFilledForm,
		},
		{
			"no-mail-address", Warning, "3.5", "The part of a mailto URL is no addr-spec of RFC 822 6.1, so no mail can go there.",
			"Correct the address: a local part, an @ and a domain, reserved characters escaped.",
			"mailto:postmaster", findNoMailAddress,
		},
	}
}

// findPassword sees more than the common syntax allows, where a scheme is not predefined.
func findPassword(u URL, found func(string)) {
	if password, _ := u.Password(); password != "" || u.Redacted() != u.text {
		found("the URL holds a password")
	}
}

// findHostLikeUser looks at the part of the user that would be the host if the user were the rest of a URL.
func findHostLikeUser(u URL, found func(string)) {
	user, ok := u.User()
	if !ok {
		return
	}
	front := Decode(user)
	if i := strings.IndexAny(front, `/\?#:`); i >= 0 {
		front = front[:i]
	}
	if strings.Contains(front, ".") && isHost(front) {
		found(`the user "` + front + `" reads like a host; the host is "` + u.Host() + `"`)
	}
}

// isHost reports whether s is a host (RFC 1738 5).
func isHost(s string) bool {
	r := reader{s: s, t: strictTable}
	end, ok := r.scanHost(0)
	return ok && end == len(s)
}

func findNoPort(u URL, found func(string)) {
	if _, ok := u.PortNumber(); !ok && u.Port() != "" {
		found("there is no port " + shorten(u.Port()) + ": ports are 1 to 65535")
	}
}

func findOtherPort(u URL, found func(string)) {
	if port, ok := otherPort(u); ok && !foreignPort(u, port) {
		found("port " + strconv.Itoa(int(port)) + defaultIs(u))
	}
}

func findRefusedPort(u URL, found func(string)) {
	if port, ok := otherPort(u); ok && foreignPort(u, port) {
		found("port " + strconv.Itoa(int(port)) + " belongs to another protocol" + defaultIs(u))
	}
}

// otherPort is the port of u where it has one that is not the default.
func otherPort(u URL) (port uint16, ok bool) {
	port, ok = u.PortNumber()
	return port, ok && u.Port() != "" && port != DefaultPort(u.Scheme())
}

// foreignPort is IsForeignPort for the schemes whose own ports are known here.
func foreignPort(u URL, port uint16) bool {
	return SyntaxOf(u.Scheme()) != nil && IsForeignPort(u.Scheme(), port)
}

func defaultIs(u URL) string {
	if port := DefaultPort(u.Scheme()); port != 0 {
		return "; the default of " + u.Scheme() + " is " + strconv.Itoa(int(port))
	}
	return "; the scheme has no default that is known here"
}

// shorten keeps a message short, whatever the length of a part.
func shorten(s string) string {
	const most = 40
	if len(s) <= most {
		return s
	}
	return s[:most] + "..."
}
