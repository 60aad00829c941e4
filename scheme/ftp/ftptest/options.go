package ftptest

import (
	"crypto/tls"
	"net/netip"
)

// An Option gives the server the manners of another.
type Option func(*manners)

// manners are what servers differ in.
type manners struct {
	home     []string
	users    map[string]string
	account  string
	noPass   bool // 230 straight after USER
	emptyCWD emptyCWD
	noMLSD   bool
	noFEAT   bool
	noEPSV   bool
	noLIST   bool
	noRename bool
	noOver   bool
	foreign  netip.Addr
	form     ListForm
	names    NameForm
	tls      *tls.Config
	dataTLS  *tls.Config // of data connections, where it is another
	implicit bool
	hash     bool
	banner   string
	tornTLS  bool
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
	Odd                  // a form that nobody knows
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

// Home makes a directory other than the root the one of every login.
func Home(path ...string) Option { return func(m *manners) { m.home = path } }

// User adds a login.
func User(name, password string) Option { return func(m *manners) { m.users[name] = password } }

// Account makes the server ask for ACCT after the password.
func Account(account string) Option { return func(m *manners) { m.account = account } }

// NoPassword lets everybody in after USER.
func NoPassword() Option { return func(m *manners) { m.noPass = true } }

// RefuseEmptyCWD answers a CWD with an empty argument with that code and stays: vsftpd says 550, proftpd 501.
func RefuseEmptyCWD(code int) Option {
	return func(m *manners) { m.emptyCWD = emptyCWD{code, "Failed to change directory."} }
}

// NoMLSD is a server without the commands of RFC 3659 7.
func NoMLSD() Option { return func(m *manners) { m.noMLSD = true } }

// NoFEAT is a server of before RFC 2389: no FEAT, no MLSD, no EPSV.
func NoFEAT() Option {
	return func(m *manners) { m.noFEAT, m.noMLSD, m.noEPSV = true, true, true }
}

// NoLIST is a server that knows NLST only.
func NoLIST() Option { return func(m *manners) { m.noLIST, m.noMLSD = true, true } }

// NoRename is a server that lets files be stored, but neither renamed nor deleted nor overwritten, as vsftpd for
// anonymous users.
func NoRename() Option { return func(m *manners) { m.noRename = true } }

// NoOverwrite is a server that renames onto no file that is there.
func NoOverwrite() Option { return func(m *manners) { m.noOver = true } }

// ForeignPASV names another host in the reply to PASV, and has no EPSV.
func ForeignPASV(host netip.Addr) Option {
	return func(m *manners) { m.foreign, m.noEPSV = host, true }
}

// Form chooses the form of LIST.
func Form(f ListForm) Option { return func(m *manners) { m.form = f } }

// Names chooses the form of NLST with an argument.
func Names(f NameForm) Option { return func(m *manners) { m.names = f } }

// TLS offers AUTH TLS (RFC 4217).
func TLS(c *tls.Config) Option { return func(m *manners) { m.tls = c } }

// ImplicitTLS makes it a server of ftps: TLS from the first octet on. Data connections are in the clear until PROT P, as
// with vsftpd, which then refuses them.
func ImplicitTLS(c *tls.Config) Option { return func(m *manners) { m.tls, m.implicit = c, true } }

// Digests offers HASH with SHA-256.
func Digests() Option { return func(m *manners) { m.hash = true } }

// DataTLS gives data connections another certificate.
func DataTLS(c *tls.Config) Option { return func(m *manners) { m.dataTLS = c } }

// TornTLS ends each data connection within a TLS record, after half of what is to be sent, and calls the transfer
// complete. It needs [ImplicitTLS], or [TLS] and a client that protects data connections.
func TornTLS() Option { return func(m *manners) { m.tornTLS = true } }
