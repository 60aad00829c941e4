package repair_test

import (
	"fmt"

	"locator"
	"locator/repair"
)

func ExampleParse() {
	u, changes, err := repair.Parse(locator.Current, `<http:/host.dom\pub\my file>`)
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
	_, changes, _ := repair.Parse(locator.Current, "http//host.dom/")
	for _, c := range changes {
		fmt.Printf("%d %q %q\n", c.Offset, c.Was, c.Now)
	}
	// Output: 4 "" ":"
}

func ExampleChange_String() {
	fmt.Println(repair.Change{Offset: 4, Now: ":", Why: "a colon follows the scheme"})
	// Output: byte 4: added ":": a colon follows the scheme
}

func ExampleSuggest() {
	const text = "www.host.dom/pub"
	_, err := locator.Current.Parse(text)
	fmt.Println(err)
	fmt.Println(repair.Suggest(locator.Current, text, err))
	// Output:
	// malformed URL at byte 12: expected a scheme and its colon, found "/"; begin with a scheme and a colon, such as "ftp:"; a scheme has letters, digits, "+", "-" and "."
	// malformed URL at byte 12: the scheme is missing; did you mean "http://www.host.dom/pub"?
}

// A hint says what the author may have meant.
func ExampleHint() {
	for _, s := range []string{"htp://host.dom/", "localhost:8080", "gopher://host.dom/7/search?red+wine", "http://host.dom/"} {
		fmt.Printf("%q\n", repair.Hint(locator.Current.MustParse(s)))
	}
	// Output:
	// "did you mean \"http://host.dom/\"?"
	// "did you mean \"http://localhost:8080\"?"
	// "the words of a search follow \"%09\", not \"?\"; did you mean \"gopher://host.dom/7/search%09red%20wine\"?"
	// ""
}
