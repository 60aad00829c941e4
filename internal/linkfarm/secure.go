package linkfarm

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"time"
)

// certificate returns a certificate for an address.
func certificate(address string, until time.Time) (tls.Certificate, *x509.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, nil, err
	}
	t := &x509.Certificate{
		SerialNumber: big.NewInt(1738), NotBefore: until.Add(-24 * time.Hour), NotAfter: until, IPAddresses: []net.IP{net.ParseIP(address)},
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, BasicConstraintsValid: true, IsCA: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, t, t, &key.PublicKey, key)
	if err != nil {
		return tls.Certificate{}, nil, err
	}
	leaf, err := x509.ParseCertificate(der)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, leaf, err
}

// slowly is a listener whose connections begin late.
type slowly struct {
	net.Listener
	wait time.Duration
}

func (s slowly) Accept() (net.Conn, error) {
	c, err := s.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &slowConn{Conn: c, begin: time.Now().Add(s.wait)}, nil
}

// slowConn reads nothing before a time.
type slowConn struct {
	net.Conn
	begin time.Time
}

func (c *slowConn) Read(p []byte) (int, error) {
	time.Sleep(time.Until(c.begin))
	return c.Conn.Read(p)
}

// secure plants links of https.
func (f *Farm) secure() error {
	day := 24 * time.Hour
	for _, c := range []struct {
		does    string
		address string // of the certificate; empty is that of the host
		until   time.Duration
		trusted bool
		slow    time.Duration
		right   [2]string // of a page, and of one that is missing
	}{
		{"tls", "", day, true, 0, [2]string{ok, notFound}},
		{"tls-slow", "", day, true, 200 * time.Millisecond, [2]string{ok, notFound}},
		{"tls-self-signed", "", day, false, 0, [2]string{"unsure certificate", "unsure certificate"}},
		{"tls-expired", "", -time.Hour, true, 0, [2]string{"unsure certificate", "unsure certificate"}},
		{"tls-other-name", "127.0.8.8", day, true, 0, [2]string{"unsure certificate", "unsure certificate"}},
	} {
		h, err := f.listen()
		if err != nil {
			return err
		}
		address := c.address
		if address == "" {
			address, _, _ = net.SplitHostPort(h.Addr().String())
		}
		key, leaf, err := certificate(address, time.Now().Add(c.until))
		if err != nil {
			return err
		}
		if c.trusted {
			f.roots.AddCert(leaf)
			f.pem = append(f.pem, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: leaf.Raw})...)
		}
		h.Listener = tls.NewListener(slowly{h.Listener, c.slow}, &tls.Config{Certificates: []tls.Certificate{key}, MinVersion: tls.VersionTLS12})
		f.serve(h, "https", c.does, []page{{"/page", found, c.right[0]}, {"/404", status(404), c.right[1]}, {"/head", onHead(status(405), found), c.right[0]}})
	}
	plain, err := f.listen()
	if err != nil {
		return err
	}
	f.serve(plain, "https", "no-tls", []page{{"/", found, failed}})
	for does, talk := range map[string]func(net.Conn){
		"tls-closed": func(net.Conn) {},
		"tls-alert":  func(c net.Conn) { c.Write([]byte{21, 3, 3, 0, 2, 2, 40}) },
		"tls-noise":  func(c net.Conn) { io.WriteString(c, "this is no TLS at all") },
	} {
		if err := f.talk("https", does, talk, map[string]string{"/": failed}); err != nil {
			return err
		}
	}
	return f.talk("https", "tls-hangs", func(c net.Conn) { io.Copy(io.Discard, c) }, map[string]string{"/": late})
}

// talk plants links of a server that does this with each connection.
func (f *Farm) talk(scheme, does string, talk func(net.Conn), links map[string]string) error {
	h, err := f.listen()
	if err != nil {
		return err
	}
	go func() {
		for {
			c, err := h.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				talk(c)
			}()
		}
	}()
	for path, right := range links {
		f.add(scheme+"://"+h.Addr().String()+path, does+" "+path, right)
	}
	return nil
}
