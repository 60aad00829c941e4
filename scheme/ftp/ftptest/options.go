package ftptest

import (
	"crypto/tls"
	"net/netip"
)

// An Option makes the server behave like another one.
type Option func(*behavior)

// behavior holds the differences between servers.
type behavior struct {
	home     []string
	users    map[string]string
	account  string
	noPass   bool // 230 straight after USER
	emptyCWD emptyCWD
	noMLSD   bool
	noFEAT   bool
	noEPSV   bool
	noLIST   bool
	noNLST   bool
	heading  string   // the first line of LIST
	odd      []string // names with lines of an unknown form
	noRename bool
	noOver   bool
	foreign  netip.Addr
	form     ListForm
	names    NameForm
	tls      *tls.Config
	dataTLS  *tls.Config // configuration for data connections, if it differs
	implicit bool
	hash     bool
	banner   string
	tornTLS  bool
	noNotify bool
	noSIZE   bool
	noSizes  bool
	dataNext bool
	tlsFirst bool
	noMFMT   bool
	setMDTM  bool
	links    []link
	fullRMD  string // the reply to RMD of a directory that is not empty
}

type emptyCWD struct {
	code int
	text string
}

// ListForm is the form of LIST.
type ListForm uint8

// The forms of LIST.
const (
	Unix ListForm = iota // "ls -l"
	DOS                  // as Microsoft's server
	EPLF                 // easily parsed LIST format
	Odd                  // an unknown form
)

// NameForm is the form of NLST with an argument.
type NameForm uint8

// The forms of NLST.
const (
	Below    NameForm = iota // "sub/name", as vsftpd and proftpd
	WithDots                 // also "sub/." and "sub/..", as pure-ftpd
	BareName                 // "name"
	Absolute                 // "/home/sub/name"
)

// Home sets the directory in which logins start. The default is the root.
func Home(path ...string) Option { return func(m *behavior) { m.home = path } }

// User adds a login.
func User(name, password string) Option { return func(m *behavior) { m.users[name] = password } }

// Account makes the server ask for ACCT after the password.
func Account(account string) Option { return func(m *behavior) { m.account = account } }

// NoPassword accepts every user after USER.
func NoPassword() Option { return func(m *behavior) { m.noPass = true } }

// RefuseEmptyCWD rejects a CWD with an empty argument with that code: 550 for vsftpd, 501 for
// proftpd.
func RefuseEmptyCWD(code int) Option {
	return func(m *behavior) { m.emptyCWD = emptyCWD{code, "Failed to change directory."} }
}

// NoMLSD removes the commands of RFC 3659 7.
func NoMLSD() Option { return func(m *behavior) { m.noMLSD = true } }

// NoFEAT makes the server one from before RFC 2389: no FEAT, no MLSD, no EPSV.
func NoFEAT() Option {
	return func(m *behavior) { m.noFEAT, m.noMLSD, m.noEPSV = true, true, true }
}

// NoLIST makes NLST the only listing command.
func NoLIST() Option { return func(m *behavior) { m.noLIST, m.noMLSD = true, true } }

// NoNLST removes NLST.
func NoNLST() Option { return func(m *behavior) { m.noNLST = true } }

// Heading makes LIST begin with a line.
func Heading(line string) Option { return func(m *behavior) { m.heading = line } }

// Unreadable makes LIST send lines of an unknown form for those names.
func Unreadable(names ...string) Option { return func(m *behavior) { m.odd = names } }

// NoRename allows storing files, but not renaming, deleting or overwriting them, like vsftpd for
// anonymous users.
func NoRename() Option { return func(m *behavior) { m.noRename = true } }

// NoOverwrite rejects renaming to an existing file.
func NoOverwrite() Option { return func(m *behavior) { m.noOver = true } }

// ForeignPASV puts another host into the reply to PASV, and removes EPSV.
func ForeignPASV(host netip.Addr) Option {
	return func(m *behavior) { m.foreign, m.noEPSV = host, true }
}

// Form sets the form of LIST.
func Form(f ListForm) Option { return func(m *behavior) { m.form = f } }

// Names sets the form of NLST with an argument.
func Names(f NameForm) Option { return func(m *behavior) { m.names = f } }

// SetMDTM removes MFMT and lets MDTM set the time of a file, like vsftpd.
func SetMDTM() Option { return func(m *behavior) { m.noMFMT, m.setMDTM = true, true } }

// LinkedDir makes path a link to the directory target. Listings, CWD and PWD show it as a
// directory, as those of ftp-srv, aioftp and Twisted do. dele and rmd are the replies to its
// removal.
func LinkedDir(path, target []string, dele, rmd string) Option {
	return func(m *behavior) { m.links = append(m.links, link{path, target, dele, rmd}) }
}

// RefuseFullDir sets the reply to RMD of a directory that is not empty.
func RefuseFullDir(reply string) Option { return func(m *behavior) { m.fullRMD = reply } }

// TLS offers AUTH TLS (RFC 4217).
func TLS(c *tls.Config) Option { return func(m *behavior) { m.tls = c } }

// ImplicitTLS makes it a server of ftps: TLS from the first byte. Data connections do not use TLS
// until PROT P; like vsftpd, the server then refuses those without.
func ImplicitTLS(c *tls.Config) Option { return func(m *behavior) { m.tls, m.implicit = c, true } }

// Digests offers HASH with SHA-256.
func Digests() Option { return func(m *behavior) { m.hash = true } }

// DataTLS sets a different certificate for data connections.
func DataTLS(c *tls.Config) Option { return func(m *behavior) { m.dataTLS = c } }

// TornTLS closes each data connection within a TLS record, after half of the data, and reports the
// transfer as complete. It requires [ImplicitTLS], or [TLS] and a client that protects data
// connections.
func TornTLS() Option { return func(m *behavior) { m.tornTLS = true } }

// NoCloseNotify closes data connections over TLS without the alert close_notify.
func NoCloseNotify() Option { return func(m *behavior) { m.noNotify = true } }

// Unannounced leaves the size out of the reply 150, as pure-ftpd does.
func Unannounced() Option { return func(m *behavior) { m.noSizes = true } }

// NoSIZE refuses the command SIZE.
func NoSIZE() Option { return func(m *behavior) { m.noSIZE = true } }

// DataNext makes the server read no command after PASV until the data connection has been made, or
// for a while; then it sends a reply that belongs to no command. Twisted 22.4 does so, after 10
// seconds. It has no EPSV and no MLSD.
func DataNext() Option {
	return func(m *behavior) { m.dataNext, m.noFEAT, m.noMLSD, m.noEPSV = true, true, true, true }
}

// HandshakeFirst makes the server wait for the TLS handshake of a data connection before it replies
// to the command, and refuse the transfer with 425 if it does not begin. The npm server ftp-srv
// 4.6.3 does so.
func HandshakeFirst() Option { return func(m *behavior) { m.tlsFirst = true } }
