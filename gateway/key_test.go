package gateway

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"locator"
)

// Every cookie of a browser that came by https goes back only so. Only a trusted proxy says that a browser came by https.
//
// Covers: GWS12
func TestSecureCookies(t *testing.T) {
	g := serve(t, Options{Service: Service{Users: testUsers(), Proxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}}}).g
	session := strings.Repeat("A", 26)
	form := func(path string, values url.Values) *http.Request {
		values.Set("token", g.sign("form", session))
		r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(values.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.AddCookie(&http.Cookie{Name: sessionCookie, Value: session})
		return r
	}
	makes := map[string]func(w http.ResponseWriter, r *http.Request){
		sessionCookie:  func(w http.ResponseWriter, r *http.Request) { r.Header.Del("Cookie"); g.token(w, r) },
		userCookie:     func(w http.ResponseWriter, r *http.Request) { g.logIn(w, r, place{}) },
		settingsCookie: g.keepSettings,
		loginCookie: func(w http.ResponseWriter, r *http.Request) {
			(&exchange{g: g, w: w, r: r, u: locator.MustParse("ftp://host.dom/")}).ask()
		},
	}
	for name, set := range makes {
		for _, x := range []struct {
			remote, proto string
			tls, want     bool
		}{
			{"192.0.2.1:5", "", false, false}, {"192.0.2.1:5", "https", false, false}, {"192.0.2.1:5", "", true, true}, {"10.0.0.1:5", "", false, false},
			{"10.0.0.1:5", "http", false, false}, {"10.0.0.1:5", "https", false, true}, {"[::ffff:10.0.0.1]:5", "http, HTTPS ", false, true}, {"pipe", "https", false, false},
		} {
			r := form("/", url.Values{"user": {"ann"}, "password": {"word"}})
			if r.RemoteAddr = x.remote; x.tls {
				r.TLS = new(tls.ConnectionState)
			}
			if x.proto != "" {
				r.Header.Set("X-Forwarded-Proto", x.proto)
			}
			w := httptest.NewRecorder()
			set(w, r)
			var found bool
			for _, c := range w.Result().Cookies() {
				if c.Secure != x.want || !c.HttpOnly || c.Path != "/" || c.SameSite != http.SameSiteLaxMode && c.Name != userCookie || c.SameSite != http.SameSiteStrictMode && c.Name == userCookie {
					t.Errorf("%s %+v: %s", name, x, c)
				}
				found = found || c.Name == name
			}
			if !found {
				t.Errorf("%s %+v: %v", name, x, w.Result().Header)
			}
		}
	}
}
