package docs_test

import (
	"net/http"
	"net/netip"
	"time"

	"locator/client"
	"locator/policy"
	"locator/scheme/all"
)

// strangers runs the first sample of guides/strangers.md.
func strangers(use func(*client.Client, *http.Client)) {
	c := client.New(client.Options{Registry: all.Registry(), Policy: policy.Strangers()})
	defer c.Close()
	web := &http.Client{Transport: c.Transport()}

	use(c, web)
}

// ownNetwork runs the second sample.
func ownNetwork(use func(*client.Client, *http.Client)) {
	o := policy.Strangers().Options()
	o.AllowNets = []netip.Prefix{netip.MustParsePrefix("10.20.0.0/16")}
	o.DenyNets = []netip.Prefix{netip.MustParsePrefix("10.20.9.0/24")}
	o.Limits.Time = 2 * time.Second
	c := client.New(client.Options{Registry: all.Registry(), Policy: policy.New(o)})
	defer c.Close()

	use(c, &http.Client{Transport: c.Transport()})
}
