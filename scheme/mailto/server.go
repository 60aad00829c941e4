package mailto

import (
	"strconv"
	"strings"

	"locator"
	"locator/internal/hint"
	"locator/repair"
	"locator/scheme"
)

// ServerKind returns "mail".
func (Scheme) ServerKind() string { return "mail" }

// Schemes of the URLs of submission servers, and their default ports (RFC 6409, RFC 8314 3.3).
const (
	plainName, plainPort = "smtp", "587"
	tlsName, tlsPort     = "smtps", "465"
)

// Server returns the URL of a submission server from host, host:port, smtp://[user@]host[:port] or,
// for TLS from the first byte, smtps://[user@]host[:port]. The port is always in the URL.
func (Scheme) Server(text string) (locator.URL, error) {
	name, authority, isURL := strings.Cut(text, "://")
	if !isURL {
		name, authority = plainName, text
	}
	name = strings.ToLower(name)
	authority, path, _ := strings.Cut(authority, "/")
	port := plainPort
	switch name {
	case plainName:
	case tlsName:
		port = tlsPort
	default:
		return locator.URL{}, notServer(text, nil)
	}
	url := name + "://" + authority + "/"
	u, err := locator.Current.Parse(url)
	if err == nil && u.Port() == "" {
		u, err = u.WithPort(port)
	}
	if err != nil || path != "" || u.Host() == "" {
		return locator.URL{}, notServer(text, repair.Suggest(locator.Current, url, err))
	}
	if _, err := scheme.Addr(u); err != nil {
		return locator.URL{}, notServer(text, err)
	}
	return u, nil
}

func notServer(text string, err error) error {
	const form = "must be host, host:port, smtp://user@host or smtps://user@host"
	if strings.Count(text, "@") > 1 {
		return scheme.Fail(scheme.CodeUsage, "not a mail server: an @ in the user name is written %%40: %s", locator.Redact(text))
	}
	if err != nil {
		return scheme.Fail(scheme.CodeUsage, "not a mail server, which %s: %s: %w", form, locator.Redact(text), err)
	}
	return scheme.Fail(scheme.CodeUsage, "not a mail server, which %s: %s", form, locator.Redact(text))
}

// A server is a submission server and the login for it.
type server struct {
	addr     string // host:port
	host     string // without the brackets of an IPv6 literal
	port     uint16
	tls      bool // from the first byte
	user     locator.Optional
	password locator.Optional
}

// newServer returns the server of a URL of [Scheme.Server].
func newServer(u locator.URL) (server, error) {
	addr, err := scheme.Addr(u)
	if err != nil {
		return server{}, err
	}
	port, _ := strconv.ParseUint(u.Port(), 10, 16) // Addr has checked it
	s := server{addr: addr, host: strings.Trim(u.ASCIIHost(), "[]"), port: uint16(port), tls: u.Scheme() == tlsName}
	if user, ok := u.User(); ok {
		s.user = locator.Some(locator.Decode(user))
	}
	if password, ok := u.Password(); ok {
		s.password = locator.Some(locator.Decode(password))
	}
	return s, nil
}

// noServer is the error if nothing is configured that takes mail.
func noServer() error {
	return hint.Fail(hint.MailServer, scheme.CodeLocal, "no mail server is known")
}
