package docs_test

import (
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/client"
	"locator/policy"
	"locator/scheme"
	"locator/scheme/all"
)

// strangers runs the first sample of guides/strangers.md.
func strangers(use func(*client.Client, *http.Client)) {
	c := client.New(client.Options{Registry: all.Registry(), Policy: policy.Strangers()})
	defer c.Close()
	web := &http.Client{Transport: c.Transport()}

	use(c, web)
}

// report is the sample of an error that is shown to a stranger.
func report(w io.Writer, err error) {
	var failed *scheme.Error
	if errors.As(err, &failed) {
		fmt.Fprintln(w, failed.Public()) // access http://priv.example/: not allowed, or unreachable
	}
}

// logged is the sample of a policy around another one.
type logged struct{ policy.Policy }

func (l logged) URL(u locator.URL, h scheme.Hop) error {
	err := l.Policy.URL(u, h)
	log.Print(u.Redacted(), ": ", err)
	return err
}

// TestPublicText checks what the sample shows.
func TestPublicText(t *testing.T) {
	t.Parallel()
	var said strings.Builder
	report(&said, &scheme.Error{Op: scheme.OpAccess, URL: "http://priv.example/", Code: scheme.CodeRefused, Err: errors.New("it is 10.0.0.1")})
	if want := "access http://priv.example/: not allowed, or unreachable\n"; said.String() != want {
		t.Errorf("%q, want %q", said.String(), want)
	}
	if p := policy.Policy(logged{policy.Strangers()}); p.UsesLogins() || p.Limits().Body == 0 {
		t.Error("the sample of a policy lost its limits")
	}
}

// webOnly runs the second sample.
func webOnly(use func(*client.Client, *http.Client)) {
	o := policy.Strangers().Options()
	o.Schemes = []string{"http", "https"}
	c := client.New(client.Options{Registry: all.Registry(), Policy: policy.New(o)})
	defer c.Close()

	use(c, &http.Client{Transport: c.Transport()})
}

// ownNetwork runs the third sample.
func ownNetwork(use func(*client.Client, *http.Client)) {
	o := policy.Strangers().Options()
	o.AllowNets = []netip.Prefix{netip.MustParsePrefix("10.20.0.0/16")}
	o.DenyNets = []netip.Prefix{netip.MustParsePrefix("10.20.9.0/24")}
	o.Limits.Time = 2 * time.Second
	c := client.New(client.Options{Registry: all.Registry(), Policy: policy.New(o)})
	defer c.Close()

	use(c, &http.Client{Transport: c.Transport()})
}
