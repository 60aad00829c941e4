package policy_test

import (
	"fmt"
	"net/netip"

	"locator"
	"locator/policy"
)

func ExampleStrangers() {
	p := policy.Strangers()
	for _, text := range []string{"http://8.8.8.8/", "http://169.254.169.254/", "file:///etc/passwd", "http://2130706433/"} {
		fmt.Println(text, p.Check(locator.Current.MustParse(text)) == nil)
	}
	// Output:
	// http://8.8.8.8/ true
	// http://169.254.169.254/ false
	// file:///etc/passwd false
	// http://2130706433/ false
}

func ExampleStandard_Options() {
	o := policy.Strangers().Options()
	o.AllowNets = []netip.Prefix{netip.MustParsePrefix("10.20.0.0/16")}
	p := policy.New(o)
	fmt.Println(p.Check(locator.Current.MustParse("http://10.20.1.1/")))
	fmt.Println(p.Check(locator.Current.MustParse("http://10.21.1.1/")) == nil)
	// Output:
	// <nil>
	// false
}
