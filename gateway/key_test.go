package gateway

import (
	"crypto/tls"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
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

// A key that is kept makes logins and forms outlast the gateway. Only its owner reads it, and none that is damaged is used.
//
// Covers: GWS11
func TestKeyFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "gateway.key")
	opt := Options{Service: Service{Users: testUsers(), KeyFile: file}}
	one := serve(t, opt)
	if in, err := os.Stat(file); err != nil || in.Size() != keySize || runtime.GOOS != "windows" && in.Mode().Perm() != 0o600 {
		t.Fatalf("%v %v", in, err)
	}
	one.get("/-/login")
	if res := one.post("/-/login", url.Values{"user": {"ann"}, "password": {"word"}}); res.status != http.StatusSeeOther {
		t.Fatalf("%d: %s", res.status, res.body)
	}
	two := serve(t, opt)
	two.cookies = one.cookies
	if res := two.get("/-/login"); !strings.Contains(res.body, "logged in as ann") {
		t.Errorf("%s", res.body)
	}
	if one.g.sign("form", "x") != two.g.sign("form", "x") {
		t.Error("forms do not outlast the gateway")
	}
	other := serve(t, Options{Service: Service{Users: testUsers()}})
	other.cookies = one.cookies
	if res := other.get("/-/login"); strings.Contains(res.body, "logged in as ann") {
		t.Errorf("a gateway with another key knows the user: %s", res.body)
	}
	left, err := os.ReadDir(filepath.Dir(file))
	if err != nil || len(left) != 1 {
		t.Errorf("%v %v", left, err)
	}
	if err := storeKey(file, make([]byte, keySize)); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a key is replaced: %v", err)
	}
	bad := func(why string) {
		t.Helper()
		if _, err := newKey(file); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%v", err)
		}
	}
	if runtime.GOOS != "windows" {
		for _, mode := range []os.FileMode{0o640, 0o604, 0o620} {
			if err := os.Chmod(file, mode); err != nil {
				t.Fatal(err)
			}
			bad("can be read by others")
		}
	}
	if err := errors.Join(os.Remove(file), os.WriteFile(file, make([]byte, keySize-1), 0o600)); err != nil {
		t.Fatal(err)
	}
	bad("not a key of 32 bytes")
	if err := errors.Join(os.Remove(file), os.Mkdir(file, 0o700)); err != nil {
		t.Fatal(err)
	}
	bad("not a key")
	if _, err := newKey(filepath.Join(file, "none", "key")); err == nil {
		t.Error("a key in no folder")
	}
}

// A signature is for one list of parts, and one purpose.
func TestSign(t *testing.T) {
	g := &Gateway{key: make([]byte, keySize)}
	known := make(map[string]int)
	for i, parts := range [][]string{{"a", "bc"}, {"ab", "c"}, {"abc"}, {"a", "b", "c"}, {"", "abc"}, {"abc", ""}} {
		s := g.sign("x", parts...)
		if j, ok := known[s]; ok {
			t.Errorf("lists %d and %d have one signature", i, j)
		}
		known[s] = i
	}
	if g.sign("xa", "bc") == g.sign("x", "abc") {
		t.Error("two purposes have one signature")
	}
}

// Without a session of the browser no form and no login counts, whatever is signed for it.
//
// Covers: GWS11
func TestEmptySession(t *testing.T) {
	g := &Gateway{key: make([]byte, keySize)}
	for _, session := range []string{"", "short", strings.Repeat("A", 27), strings.Repeat("A", 25)} {
		for _, signed := range []string{"", session} {
			r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader("token="+g.sign("form", signed)))
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			if session != "" {
				r.AddCookie(&http.Cookie{Name: sessionCookie, Value: session})
			}
			r.AddCookie(&http.Cookie{Name: loginCookie, Value: "a=b." + g.sign("logins", signed, "a=b")})
			if got := sessionOf(r); got != "" {
				t.Errorf("%q is a session", got)
			}
			if err := g.checkToken(r); err == nil {
				t.Errorf("a token of the session %q", session)
			}
			if all := (&exchange{g: g, r: r}).asked(); all != nil {
				t.Errorf("the session %q: %v", session, all)
			}
		}
	}
}
