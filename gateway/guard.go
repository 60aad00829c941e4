package gateway

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"locator"
	"locator/policy"
	"locator/scheme"
)

// guard is the policy of a gateway: that of its options, folders of the machine only where they are allowed, and never the gateway
// itself.
type guard struct {
	*policy.Standard
	folders []locator.URL
	own     []netip.AddrPort
	also    []netip.AddrPort
	any     *policy.Standard // for the addresses of also
	blocked *blockList
}

func newGuard(opt Options) (*guard, error) {
	o := opt.Policy.Options()
	if len(opt.Folders) > 0 && o.Schemes == nil {
		o.Schemes = append(o.Schemes, opt.Client.Registry.Names()...)
	}
	for _, f := range opt.Folders {
		o.Schemes = append(o.Schemes, f.Scheme())
	}
	any := o
	any.OwnPorts, any.Addresses = false, policy.Any
	g := &guard{Standard: policy.New(o), folders: opt.Folders, own: opt.Own, also: opt.Also, any: policy.New(any)}
	if file := opt.Service.BlockList; file != "" {
		var err error
		if g.blocked, err = newBlockList(file, opt.Log); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// URL implements policy.Policy.
func (g *guard) URL(u locator.URL, h scheme.Hop) error {
	if err := g.blocked.URL(u); err != nil {
		return err
	}
	if isLocal(u) {
		if len(g.folders) == 0 {
			return scheme.Fail(scheme.CodeRefused, "the gateway serves no files of its own machine")
		}
		if g.within(u).IsZero() {
			return scheme.Fail(scheme.CodeRefused, "the file is in none of the folders that the gateway serves")
		}
	}
	if g.isAlso(u) && (h.Kind == scheme.HopDirect || g.isAlso(h.From)) {
		return g.any.URL(u, h)
	}
	return g.Standard.URL(u, h)
}

// Check returns the error that an access to u gets before it connects to anything.
func (g *guard) Check(u locator.URL) error {
	if err := g.URL(u, scheme.Hop{}); err != nil || isLocal(u) {
		return err
	}
	if g.isAlso(u) {
		return g.any.Check(u)
	}
	return g.Standard.Check(u)
}

// isAlso reports whether u has one of the addresses that are allowed besides.
func (g *guard) isAlso(u locator.URL) bool {
	addr, ok := u.Addr()
	if !ok {
		return false
	}
	a, err := netip.ParseAddrPort(addr)
	return err == nil && slices.Contains(g.also, a)
}

// Addr implements policy.Policy.
func (g *guard) Addr(d scheme.Dial, a netip.AddrPort) error {
	if err := g.blocked.Addr(a.Addr()); err != nil {
		return err
	}
	for _, own := range g.own {
		if a.Port() == own.Port() && (a.Addr().Unmap() == own.Addr().Unmap() || own.Addr().IsUnspecified() && isOwnAddr(a.Addr())) {
			return scheme.Fail(scheme.CodeRefused, "%s is the address of this gateway", a)
		}
	}
	if d.Purpose == scheme.ForServer { // whoever runs the gateway has configured it; the client connects to no other
		return g.any.Addr(d, a)
	}
	if d.Purpose == scheme.ForData && slices.Contains(g.also, d.Peer) || d.Purpose != scheme.ForData && slices.Contains(g.also, a) && !d.FromPublic {
		return g.any.Addr(d, a)
	}
	return g.Standard.Addr(d, a)
}

// isOwnAddr reports whether a is an address of this machine.
func isOwnAddr(a netip.Addr) bool {
	if a.IsLoopback() || a.IsUnspecified() {
		return true
	}
	list, err := net.InterfaceAddrs()
	if err != nil {
		return true
	}
	for _, x := range list {
		if p, err := netip.ParsePrefix(x.String()); err == nil && p.Addr().Unmap() == a.Unmap() {
			return true
		}
	}
	return false
}

// isLocal reports whether u locates something on the machine of the client: its scheme has a host, but no port, since no protocol
// reaches it (RFC 1738 3.10).
func isLocal(u locator.URL) bool {
	s := locator.SyntaxOf(u.Scheme())
	return s != nil && s.Hierarchical && s.Port == 0
}

// within returns the folder of Options.Folders that contains u, or the zero URL.
func (g *guard) within(u locator.URL) locator.URL {
	if !isLocal(u) {
		return locator.URL{}
	}
	text := u.Canonical().Text()
	for _, f := range g.folders {
		dir := f.Canonical().Text()
		if text == strings.TrimSuffix(dir, "/") || strings.HasPrefix(text, strings.TrimSuffix(dir, "/")+"/") {
			return f
		}
	}
	return locator.URL{}
}

// admit checks what a request may not do whatever its URL.
func (g *Gateway) admit(r *http.Request, p place) error {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost:
	case http.MethodPut:
		if p.view != viewProxy {
			return &statusError{http.StatusMethodNotAllowed, "a page can only be read; PUT is for clients that use the gateway as a proxy"}
		}
	case http.MethodConnect:
		return &statusError{http.StatusMethodNotAllowed, "the gateway opens no tunnels; CONNECT is refused"}
	default:
		return &statusError{http.StatusNotImplemented, "the gateway has no method " + r.Method}
	}
	if p.view == viewProxy {
		return nil // the Host is that of the resource
	}
	if !g.hosts["*"] && !g.hosts[hostOf(r.Host)] {
		return &statusError{http.StatusMisdirectedRequest, "the gateway is not called " + hostOf(r.Host) + "; its configuration lists the names under which it answers"}
	}
	if g.isContent(r) && (p.view != viewRaw && p.view != viewFile || r.Method == http.MethodPost) {
		return &statusError{http.StatusMisdirectedRequest, "this name of the gateway is for the content of resources only"}
	}
	if err := g.csrf.Check(r); err != nil {
		return &statusError{http.StatusForbidden, "the form was sent by a page of another site"}
	}
	return nil
}

// hostOf returns the host of a Host field in lower case, without port and brackets.
func hostOf(host string) string {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	return strings.ToLower(strings.Trim(host, "[]"))
}
