package docs_test

import (
	"log"
	"net/http"
	"net/netip"
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

// logged is the sample of a policy around another one.
type logged struct{ policy.Policy }

func (l logged) URL(u locator.URL, h scheme.Hop) error {
	err := l.Policy.URL(u, h)
	log.Print(u.Redacted(), ": ", err)
	return err
}

var _ policy.Policy = logged{policy.Strangers()}

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
