package xtest

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
	"net/http"
	"time"
)

// certify gives the server a certificate of its own for 127.0.0.1, localhost and *.example, good for a day.
func (s *Server) certify() error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(1738),
		Subject:               pkix.Name{CommonName: "127.0.0.1"},
		NotBefore:             now.Add(-time.Hour),
		NotAfter:              now.Add(24 * time.Hour),
		DNSNames:              []string{"localhost", "*.example"},
		IPAddresses:           []net.IP{net.IPv4(127, 0, 0, 1)},
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
		IsCA:                  true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return err
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		return err
	}
	s.pem = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	s.roots = x509.NewCertPool()
	s.roots.AddCert(leaf)
	protocols := []string{"h2", "http/1.1"}
	if s.http1 {
		protocols = protocols[1:]
		s.http.TLSNextProto = make(map[string]func(*http.Server, *tls.Conn, http.Handler))
	}
	s.certificate = tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
	s.http.TLSConfig = s.TLSConfig()
	s.http.TLSConfig.NextProtos = protocols
	return nil
}
