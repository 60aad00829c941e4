package locator_test

import (
	"fmt"

	"locator"
)

func ExampleVet() {
	u := locator.MustParse("ftp://www.bank.example:secret@host.dom:25/motd")
	for _, f := range locator.Vet(u) {
		fmt.Printf("%-7s %s: %s\n", f.Severity, f.Code, f.Message)
	}
	// Output:
	// warning password: the URL holds a password
	// warning host-like-user: the user "www.bank.example" reads like a host; the host is "host.dom"
	// danger  refused-port: port 25 belongs to another protocol; the default of ftp is 21
}

func ExampleDelimiters() {
	u := locator.MustParse("ftp://host.dom/pub/motd%0D%0ADELE%20motd")
	for part, octet := range locator.Delimiters(u) {
		fmt.Printf("the %s holds %%%02X\n", part, octet)
	}
	// Output: the name holds %0D
}

func ExampleGopher_Filled() {
	u := locator.MustParse("gopher://host.dom/0ask%09%09+%091%0D%0A+-1%0D%0Ayes%0D%0A.%0D%0A")
	v, _ := locator.As[*locator.Gopher](u)
	fmt.Println(v.Filled())
	// Output: true
}

func ExampleIsForeignPort() {
	fmt.Println(locator.IsForeignPort("ftp", 21), locator.IsForeignPort("gopher", 21), locator.IsForeignPort("gopher", 7070))
	// Output: false true false
}
