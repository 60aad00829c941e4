package locator_test

import (
	"fmt"

	"locator"
)

func ExampleParser_Prefix() {
	u, n, err := locator.Current.Prefix("ftp://host.dom/pub/motd;type=x is missing")
	fmt.Println(u, n, err)

	_, _, err = locator.Current.Prefix("http: the protocol")
	fmt.Println(err)
	// Output:
	// ftp://host.dom/pub/motd 23 <nil>
	// malformed http URL at byte 5: expected "//", found a space; put "//" after the scheme and its colon
}
