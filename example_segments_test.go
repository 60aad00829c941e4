package locator_test

import (
	"fmt"

	"locator"
)

func ExampleURL_Segments() {
	for _, text := range []string{"ftp://host.dom/pub/a%2Fb/;type=d", "http://host.dom/a/b?c", "gopher://host.dom/0/a/b"} {
		segments, ok := locator.MustParse(text).Segments()
		fmt.Printf("%q %v\n", segments, ok)
	}
	// Output:
	// ["pub" "a/b" ""] true
	// ["a" "b"] true
	// [] false
}
