package http

import (
	"strings"
	"testing"
	"time"

	"locator/scheme"
)

// The examples of RFC 7616 3.9 and RFC 2617 3.5, and an older server.
//
// Covers: A6
func TestDigest(t *testing.T) {
	t.Parallel()
	const rfc7616 = `realm="http-auth@example.org", qop="auth, auth-int", nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", ` +
		`opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`
	for _, tt := range []struct {
		challenge, user, password, cnonce, target string
		want                                      []string
	}{
		{"Digest " + rfc7616 + ", algorithm=SHA-256", "Mufasa", "Circle of Life", "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", "/dir/index.html", []string{
			`username="Mufasa"`, `realm="http-auth@example.org"`, `uri="/dir/index.html"`, `algorithm=SHA-256`, `nc=00000001`,
			`cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"`, `qop=auth`, `opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`,
			`response="753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"`}},
		{"DIGEST " + rfc7616 + ", algorithm=MD5", "Mufasa", "Circle of Life", "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", "/dir/index.html", []string{
			`algorithm=MD5`, `response="8ca523f5e9506fed4657c9700eebdbec"`}},
		{`Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"`,
			"Mufasa", "Circle Of Life", "0a4f113b", "/dir/index.html", []string{`response="6629fae49393a05397450978507c4ef1"`}},
		{`Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"`,
			"Mufasa", "Circle Of Life", "x", "/dir/index.html", []string{`response="670fd8c2df070c60b045671b8b24ff02"`}},
		{`Digest realm="a \"b\"", nonce="n", qop=auth, userhash=true, algorithm=SHA-512-256-sess`,
			"Müller", "x", "c", "/", []string{`realm="a \"b\""`, `userhash=true`, `algorithm=SHA-512-256-sess`, `cnonce="c"`}},
	} {
		list := challenges(tt.challenge)
		if len(list) != 1 || !canDigest(list[0]) {
			t.Errorf("%s: not understood: %v", tt.challenge, list)
			continue
		}
		got := digest(list[0], "GET", tt.target, tt.user, tt.password, tt.cnonce)
		for _, want := range tt.want {
			if !strings.Contains(got+", ", want) {
				t.Errorf("%s\nhave %s\nwithout %s", tt.challenge, got, want)
			}
		}
		if strings.Contains(got, tt.password+`"`) {
			t.Errorf("the password is in %s", got)
		}
	}
	for _, bad := range []string{`Digest realm="x"`, `Digest nonce="x"`, `Digest realm="x", nonce="y", qop="auth-int"`, `Digest realm="x", nonce="y", algorithm=SHA-3`, `Basic realm="x", nonce="y"`} {
		if canDigest(challenges(bad)[0]) {
			t.Errorf("%s is answered", bad)
		}
	}
}

// The first supported Digest is chosen before Basic; unsupported challenges are skipped.
func TestChoose(t *testing.T) {
	t.Parallel()
	const sha, md, odd = `Digest realm="s", nonce="n", algorithm=SHA-256`, `Digest realm="m", nonce="n"`, `Digest realm="o", nonce="n", algorithm=X`
	for _, tt := range []struct {
		values []string
		realm  string
		ok     bool
	}{
		{[]string{`Basic realm="b"`, md, sha}, "m", true},
		{[]string{odd + ", " + sha + `, Basic realm="b"`}, "s", true},
		{[]string{odd, `Negotiate`, `Basic realm="b"`, `Basic realm="c"`}, "b", true},
		{[]string{odd}, "", false},
		{nil, "", false},
	} {
		if c, ok := chooseChallenge(tt.values); ok != tt.ok || c.params["realm"] != tt.realm {
			t.Errorf("%q: %v, %v", tt.values, c, ok)
		}
	}
}

func TestIfRange(t *testing.T) {
	t.Parallel()
	day := time.Date(1994, 12, 1, 1, 2, 3, 4, time.FixedZone("x", 3600))
	for _, tt := range []struct {
		c    scheme.Conditions
		want string
	}{
		{scheme.Conditions{}, ""},
		{scheme.Conditions{RangeTag: `"a"`, RangeModified: day}, `"a"`},
		{scheme.Conditions{RangeTag: `W/"a"`, RangeModified: day}, ""},
		{scheme.Conditions{RangeModified: day}, "Thu, 01 Dec 1994 00:02:03 GMT"},
	} {
		if got := ifRange(tt.c); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.c, got, tt.want)
		}
	}
}

func FuzzDigest(f *testing.F) {
	f.Add(`Digest realm="x", nonce="y", qop="auth"`, "user")
	f.Add(`Digest realm="\"", nonce="\\", opaque=a, algorithm=md5-sess`, `"`)
	f.Fuzz(func(t *testing.T, field, user string) {
		for _, c := range challenges(field) {
			if !canDigest(c) {
				continue
			}
			got := challenges(digest(c, "GET", "/", user, "s3cret-pw", "c"))
			if len(got) != 1 || got[0].params["nonce"] != c.params["nonce"] || got[0].params["realm"] != c.params["realm"] ||
				c.params["userhash"] == "" && got[0].params["username"] != user {
				t.Errorf("%q, %q: %v", field, user, got)
			}
		}
	})
}
