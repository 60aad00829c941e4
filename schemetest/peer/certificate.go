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

// Certificate is a self-signed certificate of a test server.
type Certificate struct {
	key   tls.Certificate
	roots *x509.CertPool
	pem   []byte
}

// Certify returns a new certificate for [Address], localhost and *.example, valid for a day.
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

// Config returns a new TLS configuration for a server with the certificate.
func (c *Certificate) Config() *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{c.key}, MinVersion: tls.VersionTLS12}
}

// Roots returns a pool for a client that trusts the certificate; nil if c is nil.
func (c *Certificate) Roots() *x509.CertPool {
	if c == nil {
		return nil
	}
	return c.roots
}

// PEM returns the certificate in PEM format; nil if c is nil.
func (c *Certificate) PEM() []byte {
	if c == nil {
		return nil
	}
	return c.pem
}
