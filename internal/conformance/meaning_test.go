package conformance

import (
	"fmt"
	"net/netip"
	"reflect"
	"strings"
	"testing"

	"locator"
)

// checkCanonical checks that the canonical form is its own canonical form, the same value in both
// syntaxes, a URL of each syntax that accepts u, and one of the same view except for defaults.
func checkCanonical(t testing.TB, u locator.URL) {
	t.Helper()
	key := u.Canonical()
	if key.Canonical() != key {
		t.Fatalf("the canonical form of %q is %q, whose canonical form is %q", u.Text(), key.Text(), key.Canonical().Text())
	}
	if !locator.Equal(u, key) {
		t.Fatalf("the canonical form of %q, %q, is not equal to it", u.Text(), key.Text())
	}
	for _, p := range []*locator.Parser{locator.RFC1738, locator.Current} {
		if same, err := p.Parse(u.Text()); err != nil {
			continue
		} else if same.Canonical() != key {
			t.Fatalf("the canonical form of %q, %q, is another value if %s parses it", u.Text(), key.Text(), p.Name())
		}
		if other, err := p.Parse(key.Text()); err != nil || other.Canonical() != key {
			t.Fatalf("the canonical form of %q, %q, differs in %s (%v)", u.Text(), key.Text(), p.Name(), err)
		}
	}
	if same, ok := later(u); ok { // the meaning is that in Current
		u = same
		key, _ = later(key)
	}
	if a, b := meaning(u), meaning(key); !reflect.DeepEqual(a, b) {
		t.Fatalf("the canonical form of %q, %q, has a different meaning: %#v, %#v", u.Text(), key.Text(), a, b)
	}
}

// meaning returns what a URL denotes, with all defaults filled in: its view, implemented from
// RFC 1738 section 3 and the later RFCs without Canonical.
func meaning(u locator.URL) any {
	port := func(h locator.Hostport) locator.Hostport {
		h.Host = hostMeaning(h.Host)
		h.Port = strings.TrimLeft(h.Port, "0")
		if u.Port() == "" {
			h.Port = "default"
		} else if n, ok := u.PortNumber(); ok && n == locator.DefaultPort(u.Scheme()) {
			h.Port = "default"
		}
		return h
	}
	v := u.View()
	if h := reflect.ValueOf(v).Elem().FieldByName("Hostport"); h.IsValid() {
		h.Set(reflect.ValueOf(port(h.Interface().(locator.Hostport))))
	}
	switch v := v.(type) {
	case *locator.HTTP:
		if v.Segments == nil {
			v.Segments = []string{""}
		}
	case *locator.Gopher:
		v.Type, v.Selector = locator.Some(v.Type.Or("1")), locator.Some(v.Selector.Or(""))
	case *locator.News:
		if u.HasHost() {
			v.Server.Hostport = port(v.Server.Hostport)
		}
	case *locator.File:
		if v.Host = hostMeaning(v.Host); v.Host == "localhost" {
			v.Host = ""
		}
	case *locator.Other:
		if !u.HasHost() {
			return [2]string{v.Name, locator.Decode(v.Part)}
		}
		path, hasPath := u.Path()
		search, hasSearch := u.Search()
		user, hasUser := u.User()
		password, hasPassword := u.Password()
		return []any{v.Name, locator.Decode(user), hasUser, locator.Decode(password), hasPassword, port(locator.Hostport{Host: u.ASCIIHost(), Port: u.Port()}), locator.Decode(path), hasPath, locator.Decode(search), hasSearch}
	}
	return plain{v}
}

// hostMeaning returns a host in lower case, and for an IPv6 literal the 128 bits of the address,
// which no notation changes.
func hostMeaning(host string) string {
	if a, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil && a.Is6() {
		return fmt.Sprint(a.As16())
	}
	return strings.ToLower(host)
}

// plain prints a view as a struct, for test messages.
type plain struct{ locator.View }
