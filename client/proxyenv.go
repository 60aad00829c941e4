package client

import (
	"net"
	"net/url" // only to ask package httpproxy, whose questions are of that type
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/http/httpproxy"

	"locator"
	"locator/scheme"
	"locator/wire"
)

// proxied are the schemes whose requests an http proxy may understand.
var proxied = []string{"http", "https", "ftp", "gopher", "wais"}

// ProxyFromEnvironment reads http_proxy, https_proxy, ftp_proxy, gopher_proxy, wais_proxy, all_proxy and no_proxy, as most
// clients do: a name in lower case goes before the same in upper case; a proxy is a URL of http, https, socks5 or socks5h, or
// host:port for http. A SOCKS proxy may stand for any other scheme, too (ftps_proxy, telnet_proxy). Never through a proxy go this
// machine's own addresses and what no_proxy lists. HTTP_PROXY is not heeded where REQUEST_METHOD is set: there a client may
// have set it (CVE-2016-5385).
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
	all, err := parseProxy("all_proxy", get("all_proxy"))
	if err != nil {
		return nil, err
	}
	own := make(map[string]*scheme.Proxy)
	for _, name := range append(slices.Clone(proxied), "ftps", "gophers", "telnet", "nntp", "news", "mailto", "prospero") {
		if own[name], err = parseProxy(name+"_proxy", get(name+"_proxy")); err != nil {
			return nil, err
		}
	}
	return func(name, addr string) (*scheme.Proxy, error) {
		via := own[name]
		if via == nil {
			via = all
		}
		if via == nil || !isSOCKS(via) && !slices.Contains(proxied, name) {
			return nil, nil
		}
		if p, err := needed(&url.URL{Scheme: "http", Host: addr}); err != nil || p == nil {
			return nil, err
		}
		return via, nil
	}, nil
}

// proxyPorts are the ports of proxies that name none.
var proxyPorts = map[string]string{"http": "80", "https": "443", "socks5": "1080", "socks5h": "1080"}

// parseProxy reads the value of a variable; nil is none.
func parseProxy(name, value string) (*scheme.Proxy, error) {
	if value == "" {
		return nil, nil
	}
	kind, rest, ok := strings.Cut(value, "://")
	if !ok {
		kind, rest = "http", value
	}
	kind = strings.ToLower(kind)
	const generic = "socks5://" // a scheme whose URLs may name a user: those of http may not
	u, err := locator.Current.Parse(generic + rest)
	port, known := proxyPorts[kind]
	if err == nil && u.Port() != "" {
		n, ok := u.PortNumber()
		if port = strconv.Itoa(int(n)); !ok || n == 0 {
			port = ""
		}
	}
	if err != nil || !known || port == "" || u.Host() == "" {
		shown := kind + "://" + strings.TrimPrefix(locator.Redact(generic+rest), generic)
		return nil, scheme.Fail(scheme.CodeLocal, "%s=%s: a proxy is http://, https://, socks5:// or socks5h:// with host and port", name, wire.Escape(shown))
	}
	p := &scheme.Proxy{Kind: kind, Addr: net.JoinHostPort(strings.Trim(u.Host(), "[]"), port)}
	if user, ok := u.User(); ok {
		password, _ := u.Password()
		p.User, p.Password = locator.Some(locator.Decode(user)), locator.Decode(password)
	}
	return p, nil
}
