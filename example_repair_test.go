package locator_test

import (
	"fmt"

	"locator"
)

func ExampleParser_Repair() {
	u, changes, err := locator.Current.Repair(`<http:/host.dom\pub\my file>`)
	fmt.Println(u, err)
	for _, c := range changes {
		fmt.Println(c)
	}
	// Output:
	// http://host.dom/pub/my%20file <nil>
	// byte 0: removed "<": angle brackets around a URL are not part of it
	// byte 7: added "/": "//" follows the scheme and its colon
	// byte 15: "\\" becomes "/": a URL has slashes, not backslashes
	// byte 19: "\\" becomes "/": a URL has slashes, not backslashes
	// byte 22: " " becomes "%20": a space is written %20
	// byte 27: removed ">": angle brackets around a URL are not part of it
}

func ExampleChange() {
	_, changes, _ := locator.Current.Repair("http//host.dom/")
	for _, c := range changes {
		fmt.Printf("%d %q %q\n", c.Offset, c.Was, c.Now)
	}
	// Output: 4 "" ":"
}

func ExampleChange_String() {
	fmt.Println(locator.Change{Offset: 4, Now: ":", Why: "a colon follows the scheme"})
	// Output: byte 4: added ":": a colon follows the scheme
}
