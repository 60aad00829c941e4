package client

import (
	"fmt"
	"net/url" // only for package httpproxy, whose API needs it
	"slices"
	"strings"

	"golang.org/x/net/http/httpproxy"

	"locator"
	"locator/internal/netdial"
	"locator/scheme"
	"locator/wire"
)

// proxied are the schemes that HTTP proxies support.
var proxied = []string{"http", "https", "ftp", "gopher", "wais"}

// ProxyFromEnvironment returns a ProxyFunc that follows http_proxy, https_proxy, ftp_proxy,
// gopher_proxy, wais_proxy, all_proxy and no_proxy, as most clients do. A name in lower case takes
// precedence over the same name in upper case. A proxy is a URL of http, https, socks5 or socks5h,
// or host:port for http. A SOCKS proxy serves any other scheme too (ftps_proxy, telnet_proxy). The
// addresses of this machine and those that no_proxy lists are always reached directly. HTTP_PROXY
// is ignored if REQUEST_METHOD is set, since a web client can set it then (CVE-2016-5385). The
// error is a *scheme.Error of code CodeLocal that names the variable.
func ProxyFromEnvironment(getenv func(string) string) (ProxyFunc, error) {
	get := func(name string) string {
		if v := getenv(name); v != "" {
			return v
		}
		if name == "http_proxy" && getenv("REQUEST_METHOD") != "" {
			return ""
		}
		return getenv(strings.ToUpper(name))
	}
	needed := (&httpproxy.Config{HTTPProxy: "http://proxy.invalid", NoProxy: get("no_proxy")}).ProxyFunc()
	all, err := proxyVariable("all_proxy", get("all_proxy"))
	if err != nil {
		return nil, err
	}
	own := make(map[string]*scheme.Proxy)
	for _, s := range locator.Schemes() {
		if len(s.Ports) == 0 { // no network connections
			continue
		}
		if own[s.Name], err = proxyVariable(s.Name+"_proxy", get(s.Name+"_proxy")); err != nil {
			return nil, err
		}
	}
	return func(name, addr string) (*scheme.Proxy, error) {
		via := own[name]
		if via == nil {
			via = all
		}
		if via == nil || !netdial.IsSOCKS(via) && !slices.Contains(proxied, name) {
			return nil, nil
		}
		if p, err := needed(&url.URL{Scheme: "http", Host: addr}); err != nil || p == nil {
			return nil, err
		}
		return via, nil
	}, nil
}

// proxyPorts are the default ports of proxies.
var proxyPorts = map[string]string{"http": "80", "https": "443", "socks5": "1080", "socks5h": "1080"}

// proxyVariable parses the value of a proxy variable. It returns nil for an empty value.
func proxyVariable(name, value string) (*scheme.Proxy, error) {
	if value == "" {
		return nil, nil
	}
	p, err := parseProxy(value)
	if err != nil {
		return nil, scheme.Fail(scheme.CodeLocal, "%s=%w", name, err)
	}
	return p, nil
}

// parseProxy parses the URL of a proxy.
func parseProxy(value string) (*scheme.Proxy, error) {
	kind, rest, ok := strings.Cut(value, "://")
	if !ok {
		kind, rest = "http", value
	}
	kind = strings.ToLower(kind)
	const generic = "socks5://" // http URLs cannot have a user name
	u, err := locator.Current.Parse(generic + rest)
	port, known := proxyPorts[kind]
	if err == nil && u.Port() == "" {
		u, err = u.WithPort(port)
	}
	addr, ok := u.Addr()
	if err != nil || !known || !ok {
		shown := kind + "://" + strings.TrimPrefix(locator.Redact(generic+rest), generic)
		return nil, fmt.Errorf("%s: not a proxy URL; use http://, https://, socks5:// or socks5h:// with host and port", wire.Escape(shown))
	}
	p := &scheme.Proxy{Kind: kind, Addr: addr}
	if user, ok := u.User(); ok {
		password, _ := u.Password()
		p.User, p.Password = locator.Some(locator.Decode(user)), locator.Decode(password)
	}
	return p, nil
}
