package locator_test

import (
	"encoding/json"
	"fmt"

	"locator"
)

func ExampleProspero_MarshalText() {
	v, _ := locator.As[*locator.Prospero](locator.MustParse("prospero://host.dom//pros/name"))
	text, err := json.Marshal(v)
	fmt.Println(string(text), err)
	// Output: "prospero://host.dom//pros/name" <nil>
}

func ExampleProspero_UnmarshalText() {
	var v locator.Prospero
	err := json.Unmarshal([]byte(`"prospero://host.dom//pros/name"`), &v)
	fmt.Println(v, err)
	// Output: prospero://host.dom//pros/name <nil>
}

func ExampleProspero_LogValue() {
	v, _ := locator.As[*locator.Prospero](locator.MustParse("prospero://host.dom//pros/name"))
	fmt.Println(v.LogValue())
	// Output: prospero://host.dom//pros/name
}

func ExampleOther_MarshalText() {
	v, _ := locator.As[*locator.Other](locator.MustParse("urn:isbn:0451450523"))
	text, err := json.Marshal(v)
	fmt.Println(string(text), err)
	// Output: "urn:isbn:0451450523" <nil>
}

func ExampleOther_UnmarshalText() {
	var v locator.Other
	err := json.Unmarshal([]byte(`"urn:isbn:0451450523"`), &v)
	fmt.Println(v, err)
	// Output: urn:isbn:0451450523 <nil>
}

func ExampleOther_LogValue() {
	v, _ := locator.As[*locator.Other](locator.MustParse("urn:isbn:0451450523"))
	fmt.Println(v.LogValue())
	// Output: urn:isbn:0451450523
}
