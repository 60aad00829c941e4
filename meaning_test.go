package locator

import (
	"fmt"
	"net/netip"
	"reflect"
	"strings"
	"testing"
)

// checkCanonical checks that the canonical form is its own canonical form, the same value in both syntaxes, a URL of each syntax that
// accepts u, and one of the same view except for defaults.
func checkCanonical(t testing.TB, u URL) {
	t.Helper()
	key := u.Canonical()
	if key.Canonical() != key {
		t.Fatalf("the canonical form of %q is %q, whose canonical form is %q", u.Text(), key.Text(), key.Canonical().Text())
	}
	if !Equal(u, key) {
		t.Fatalf("the canonical form of %q, %q, is not equal to it", u.Text(), key.Text())
	}
	for _, p := range []*Parser{RFC1738, Current} {
		if same, err := p.Parse(u.Text()); err != nil {
			continue
		} else if same.Canonical() != key {
			t.Fatalf("the canonical form of %q, %q, is another value if %s parses it", u.Text(), key.Text(), p.Name())
		}
		if other, err := p.Parse(key.Text()); err != nil || other.Canonical() != key {
			t.Fatalf("the canonical form of %q, %q, differs in %s (%v)", u.Text(), key.Text(), p.Name(), err)
		}
	}
	if later, ok := u.readLater(); ok { // the meaning is that in Current
		u = later
		key, _ = key.readLater()
	}
	if a, b := meaning(u), meaning(key); !reflect.DeepEqual(a, b) {
		t.Fatalf("the canonical form of %q, %q, has a different meaning: %#v, %#v", u.Text(), key.Text(), a, b)
	}
}

// meaning returns what a URL denotes, with all defaults filled in: its view, implemented from RFC 1738 section 3 and the
// later RFCs without Canonical.
func meaning(u URL) any {
	port := func(h Hostport) Hostport {
		h.Host = hostMeaning(h.Host)
		h.Port = strings.TrimLeft(h.Port, "0")
		if u.Port() == "" {
			h.Port = "default"
		} else if n, ok := u.PortNumber(); ok && n == DefaultPort(u.Scheme()) {
			h.Port = "default"
		}
		return h
	}
	v := u.View()
	if h := reflect.ValueOf(v).Elem().FieldByName("Hostport"); h.IsValid() {
		h.Set(reflect.ValueOf(port(h.Interface().(Hostport))))
	}
	switch v := v.(type) {
	case *HTTP:
		if v.Segments == nil {
			v.Segments = []string{""}
		}
	case *Gopher:
		v.Type, v.Selector = Some(v.Type.Or("1")), Some(v.Selector.Or(""))
	case *News:
		if u.HasHost() {
			v.Server.Hostport = port(v.Server.Hostport)
		}
	case *File:
		if v.Host = hostMeaning(v.Host); v.Host == "localhost" {
			v.Host = ""
		}
	case *Other:
		if !u.HasHost() {
			return [2]string{v.Name, Decode(v.Part)}
		}
		path, hasPath := u.Path()
		search, hasSearch := u.Search()
		d := u.decoder()
		login := u.login(&d)
		return []any{v.Name, login.User, login.Password, port(u.hostport()), Decode(path), hasPath, Decode(search), hasSearch}
	}
	return plain{v}
}

// hostMeaning returns a host in lower case, and for an IPv6 literal the 128 bits of the address, which no notation changes.
func hostMeaning(host string) string {
	if a, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil && a.Is6() {
		return fmt.Sprint(a.As16())
	}
	return strings.ToLower(host)
}

// plain prints a view as a struct, for test messages.
type plain struct{ View }
