package vet_test

import (
	"fmt"

	"locator"
	"locator/vet"
)

func ExampleURL() {
	u := locator.MustParse("ftp://www.bank.example:secret@host.dom:25/motd")
	for _, f := range vet.URL(u) {
		fmt.Printf("%-7s %s: %s\n", f.Severity, f.Code, f.Message)
	}
	// Output:
	// warning password: the URL contains a password
	// warning host-like-user: the user "www.bank.example" looks like a host; the host is "host.dom"
	// danger  refused-port: port 25 belongs to another protocol; the default of ftp is 21
}

// RFC 1738 has no rule for https and finds no host in this URL, but clients do.
func ExampleURL_rfc1738() {
	u := locator.MustParse("https://0x7f.1/")
	fmt.Printf("host %q\n", u.Host())
	for _, f := range vet.URL(u) {
		fmt.Println(f.Code)
	}
	// Output:
	// host ""
	// numeric-host
}

func ExampleSafeLink() {
	for _, text := range []string{"ftp://host.dom/motd", "javascript:alert(1)", "http://bank.example@host.dom/", "file:///etc/motd"} {
		u, err := locator.Current.Parse(text)
		fmt.Println(err == nil && vet.SafeLink(u), text)
	}
	// Output:
	// true ftp://host.dom/motd
	// false javascript:alert(1)
	// false http://bank.example@host.dom/
	// false file:///etc/motd
}

func ExampleFinding() {
	for _, f := range vet.URL(locator.MustParse("http://8.8.8.010/")) {
		fmt.Println(f.Code, f.Section)
	}
	// Output: ambiguous-address 3.1
}

func ExampleSeverity() {
	dangerous := false
	for _, f := range vet.URL(locator.MustParse("gopher://host.dom:25/0HELO")) {
		dangerous = dangerous || f.Severity == vet.SeverityDanger
	}
	fmt.Println(dangerous)
	// Output: true
}

func ExampleSeverity_String() {
	fmt.Println(vet.SeverityInfo, vet.SeverityWarning, vet.SeverityDanger)
	// Output: info warning danger
}
