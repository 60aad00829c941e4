package peer

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"time"
)

// Certificate is one that a server made for itself.
type Certificate struct {
	key   tls.Certificate
	roots *x509.CertPool
	pem   []byte
}

// Certify makes a certificate for [Address], localhost and *.example, good for a day.
func Certify() (*Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1738), Subject: pkix.Name{CommonName: Address},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(24 * time.Hour),
		DNSNames: []string{"localhost", "*.example"}, IPAddresses: []net.IP{net.ParseIP(Address)},
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, BasicConstraintsValid: true, IsCA: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	c := &Certificate{
		key:   tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key},
		roots: x509.NewCertPool(),
		pem:   pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
	}
	c.roots.AddCert(leaf)
	return c, nil
}

// Config is for a server with this certificate, anew at each call.
func (c *Certificate) Config() *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{c.key}, MinVersion: tls.VersionTLS12}
}

// Roots is for a client that trusts it; nil of no certificate.
func (c *Certificate) Roots() *x509.CertPool {
	if c == nil {
		return nil
	}
	return c.roots
}

// PEM is the certificate as a file of authorities holds it; nil of none.
func (c *Certificate) PEM() []byte {
	if c == nil {
		return nil
	}
	return c.pem
}
