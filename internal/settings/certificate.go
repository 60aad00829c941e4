package settings

import (
	"crypto/tls"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"locator/internal/symlink"
	"locator/scheme"
)

// maxCertificate is the largest file of a certificate or key, in bytes.
const maxCertificate = 1 << 20

var (
	errPassphrase = errors.New(`the key has a passphrase, which is not supported; write it without one by "openssl pkey -in FILE -out NEW"`)
	errNoKey      = errors.New("file contains no private key in PEM format")
)

// clientCertificate returns the certificate of --cert and --key, none without these flags.
func (f *Settings) clientCertificate() ([]tls.Certificate, error) {
	if f.cert == "" {
		if f.key != "" {
			return nil, scheme.Fail(scheme.CodeUsage, "--key needs --cert")
		}
		return nil, nil
	}
	fail := func(flag, file string, err error) ([]tls.Certificate, error) {
		var path *fs.PathError
		if !errors.As(err, &path) {
			err = &fs.PathError{Op: "read", Path: file, Err: err}
		}
		return nil, scheme.Fail(scheme.CodeLocal, "--%s: %w", flag, err)
	}
	cert, err := readPEM(f.cert)
	if err != nil {
		return fail("cert", f.cert, err)
	}
	if !hasBlock(cert, "CERTIFICATE") {
		return fail("cert", f.cert, errNoCertificate)
	}
	key, flag, file := cert, "cert", f.cert
	if f.key != "" {
		flag, file = "key", f.key
		if key, err = readPEM(f.key); err != nil {
			return fail(flag, file, err)
		}
	}
	switch {
	case hasBlock(key, "ENCRYPTED PRIVATE KEY"):
		return fail(flag, file, errPassphrase)
	case !hasBlock(key, "PRIVATE KEY"):
		if f.key == "" {
			return fail(flag, file, fmt.Errorf("%w; name its file by --key", errNoKey))
		}
		return fail(flag, file, errNoKey)
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return fail(flag, file, err)
	}
	f.warnReadable(homePath(file))
	return []tls.Certificate{pair}, nil
}

// readPEM reads a file of PEM blocks, but not through a link that another user may have planted.
func readPEM(file string) ([]byte, error) {
	h, err := symlink.Open(homePath(file))
	if err != nil {
		return nil, err
	}
	defer h.Close()
	return io.ReadAll(io.LimitReader(h, maxCertificate))
}

// hasBlock reports whether a text has a PEM block of a kind. A key in the older format is encrypted
// if its header says so.
func hasBlock(text []byte, kind string) bool {
	for {
		block, rest := pem.Decode(text)
		if block == nil {
			return false
		}
		is := block.Type
		if strings.Contains(block.Headers["Proc-Type"], "ENCRYPTED") {
			is = "ENCRYPTED PRIVATE KEY"
		}
		if strings.HasSuffix(is, kind) {
			return true
		}
		text = rest
	}
}

// homePath replaces a leading "~/", which no shell has replaced in the configuration file.
func homePath(file string) string {
	if rest, ok := strings.CutPrefix(file, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	return file
}
