package main

import (
	"crypto/x509"
	"encoding/pem"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"locator/internal/proxies"
	"locator/scheme/http/httptest"
	"locator/schemetest/peer"
)

// startSecure is the script command "https". It starts an https server, sets HTTPS to its
// host:port, and writes its certificate to $WORK/ca.pem. "https cert" starts one that requires a
// client certificate, sets CERTS to its host:port, and writes its certificate, which is also the
// one that it accepts, to $WORK/me.pem, with the key in me.key, and encrypted in locked.key and
// old.key.
func startSecure(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 1 {
		ts.Fatalf("usage: https [cert]")
	}
	opts, env, file := []httptest.Option{httptest.TLS()}, "HTTPS", "ca.pem"
	if len(args) == 1 {
		opts, env, file = append(opts, httptest.RequireCertificate()), "CERTS", "me.pem"
	}
	s, err := httptest.Start(peer.Tree(), opts...)
	ts.Check(err)
	ts.Defer(s.Close)
	ts.Setenv(env, s.Addr())
	ts.Check(os.WriteFile(ts.MkAbs(file), s.PEM(), 0o600))
	if len(args) == 0 {
		return
	}
	key, err := x509.MarshalPKCS8PrivateKey(s.TLSConfig().Certificates[0].PrivateKey)
	ts.Check(err)
	for name, block := range map[string]*pem.Block{
		"me.key":     {Type: "PRIVATE KEY", Bytes: key},
		"locked.key": {Type: "ENCRYPTED PRIVATE KEY", Bytes: key},
		"old.key":    {Type: "EC PRIVATE KEY", Headers: map[string]string{"Proc-Type": "4,ENCRYPTED", "DEK-Info": "AES-128-CBC,00"}, Bytes: key},
	} {
		ts.Check(os.WriteFile(ts.MkAbs(name), pem.EncodeToMemory(block), 0o600))
	}
}

// startProxies is the script command "proxies". It starts an http proxy at PROXY and a SOCKS proxy
// at SOCKS. They know the servers at HTTP and FTP as web.example and ftp.example, and require the
// login carol with the password pr0xy-pw.
func startProxies(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: proxies")
	}
	hosts := map[string]string{"web.example": ts.Getenv("HTTP"), "ftp.example": ts.Getenv("FTP")}
	login := proxies.Login("carol", "pr0xy-pw")
	h, err := proxies.HTTP(nil, hosts, login, proxies.Fetch(func(w http.ResponseWriter, r *http.Request, target string) bool {
		w.Header().Set("Content-Type", "text/plain")
		io.WriteString(w, "the proxy got "+strings.SplitN(target, ":", 2)[0]+"\n")
		return true
	}))
	ts.Check(err)
	ts.Defer(h.Close)
	s, err := proxies.SOCKS(hosts, login)
	ts.Check(err)
	ts.Defer(s.Close)
	ts.Setenv("PROXY", "carol:pr0xy-pw@"+h.Addr)
	ts.Setenv("SOCKS", "carol:pr0xy-pw@"+s.Addr)
	ts.Setenv("BARE", h.Addr)
}
