package ability_test

import (
	"fmt"

	"locator/scheme"
	"locator/scheme/ability"
	"locator/scheme/file"
	"locator/scheme/telnet"
)

func ExampleNames() {
	fmt.Println(ability.Names(telnet.Scheme{}))
	fmt.Println(ability.Names(file.Scheme{}))
	// Output:
	// [access]
	// [access list attributes update replace remove rename mkdir]
}

func ExampleCheck() {
	fmt.Println(ability.Check(telnet.Scheme{}, scheme.OpRemove))
	// Output: scheme telnet cannot remove; it can: access
}
