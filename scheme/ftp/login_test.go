package ftp_test

import (
	"slices"
	"strings"
	"testing"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/scheme/ftp/ftptest"
)

// TestPassword covers the cases about passwords: none is invented, and none is sent that the server
// did not ask for.
//
// Covers: A1, P3
func TestPassword(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what, user string
		opts       []ftptest.Option
		password   string // the password of the LoginFunc
		lines      string
		code       scheme.Code
	}{
		{what: "anonymous", lines: "USER anonymous,PASS me@example.org"},
		{what: "anonymous, not asked", opts: []ftptest.Option{ftptest.NoPassword()}, lines: "USER anonymous"},
		{what: "user, asked", user: "alice@", password: ftptest.Password, lines: "USER alice,PASS s3cret-pw"},
		{what: "user, unknown", user: "alice@", lines: "USER alice", code: scheme.CodeLoginNeeded},
		{what: "user, not asked", user: "alice@", opts: []ftptest.Option{ftptest.NoPassword()}, password: "x", lines: "USER alice"},
		{what: "empty password", user: "bob:@", opts: []ftptest.Option{ftptest.User("bob", "")}, password: "x", lines: "USER bob,PASS "},
		{what: "escaped password", user: "carol:p%40%3A@", opts: []ftptest.Option{ftptest.User("carol", "p@:")}, lines: "USER carol,PASS p@:"},
		{what: "empty user", user: "@", opts: []ftptest.Option{ftptest.User("", "e")}, password: "e", lines: "USER ,PASS e"},
		{what: "wrong password", user: "alice:no@", password: ftptest.Password, lines: "USER alice,PASS no", code: scheme.CodeLoginNeeded},
		{what: "account, unknown", user: "alice:s3cret-pw@", opts: []ftptest.Option{ftptest.Account("acc")}, lines: "USER alice,PASS s3cret-pw", code: scheme.CodeLoginNeeded},
		{what: "account", user: "alice:s3cret-pw@", opts: []ftptest.Option{ftptest.Account("acc")}, password: "acc", lines: "USER alice,PASS s3cret-pw,ACCT acc"},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			s := start(t, c.opts...)
			cl := newClient(t, func(o *client.Options) {
				o.Mail, o.TLSMode = "me@example.org", scheme.TLSOff
				if c.password != "" {
					o.Logins = []scheme.LoginFunc{asked(c.password)}
				}
			})
			res, err := cl.Access(t.Context(), scheme.Request{URL: locator.MustParse("ftp://" + c.user + s.Addr() + "/empty;type=i")}, nil)
			if client.CodeOf(err) != c.code {
				t.Fatalf("%v, want code %v", err, c.code)
			}
			want := c.lines
			if err == nil {
				drain(t, res)
				want += ",TYPE I,EPSV,RETR empty"
			} else if strings.Contains(err.Error(), ftptest.Password) {
				t.Errorf("the error contains a password: %v", err)
			}
			got := slices.DeleteFunc(s.Lines(), func(l string) bool { return l == "QUIT" })
			if got := strings.Join(got, ","); got != want {
				t.Errorf("sent %q, want %q", got, want)
			}
		})
	}
}
