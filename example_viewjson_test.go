package locator_test

import (
	"encoding/json"
	"fmt"

	"locator"
)

func ExampleFile_String() {
	v, _ := locator.As[*locator.File](locator.MustParse("file:///etc/motd"))
	fmt.Println(v.String())
	// Output: file:///etc/motd
}

func ExampleFile_Format() {
	v, _ := locator.As[*locator.File](locator.MustParse("file:///etc/motd"))
	fmt.Printf("%v\n%#v\n", v, v)
	// Output:
	// file:///etc/motd
	// file view {"file:///etc/motd"}
}

func ExampleGopher_String() {
	v, _ := locator.As[*locator.Gopher](locator.MustParse("gopher://host.dom:7070/0a"))
	fmt.Println(v.String())
	// Output: gopher://host.dom:7070/0a
}

func ExampleGopher_Format() {
	v, _ := locator.As[*locator.Gopher](locator.MustParse("gopher://host.dom:7070/0a"))
	fmt.Printf("%v\n%#v\n", v, v)
	// Output:
	// gopher://host.dom:7070/0a
	// gopher view {"gopher://host.dom:7070/0a"}
}

func ExampleMailto_String() {
	v, _ := locator.As[*locator.Mailto](locator.MustParse("mailto:me@host.dom"))
	fmt.Println(v.String())
	// Output: mailto:me@host.dom
}

func ExampleMailto_Format() {
	v, _ := locator.As[*locator.Mailto](locator.MustParse("mailto:me@host.dom"))
	fmt.Printf("%v\n%#v\n", v, v)
	// Output:
	// mailto:me@host.dom
	// mailto view {"mailto:me@host.dom"}
}

func ExampleProspero_String() {
	v, _ := locator.As[*locator.Prospero](locator.MustParse("prospero://host.dom:1525//pros/name"))
	fmt.Println(v.String())
	// Output: prospero://host.dom:1525//pros/name
}

func ExampleProspero_Format() {
	v, _ := locator.As[*locator.Prospero](locator.MustParse("prospero://host.dom:1525//pros/name"))
	fmt.Printf("%v\n%#v\n", v, v)
	// Output:
	// prospero://host.dom:1525//pros/name
	// prospero view {"prospero://host.dom:1525//pros/name"}
}

func ExampleWAIS_String() {
	v, _ := locator.As[*locator.WAIS](locator.MustParse("wais://host.dom:210/db"))
	fmt.Println(v.String())
	// Output: wais://host.dom:210/db
}

func ExampleWAIS_Format() {
	v, _ := locator.As[*locator.WAIS](locator.MustParse("wais://host.dom:210/db"))
	fmt.Printf("%v\n%#v\n", v, v)
	// Output:
	// wais://host.dom:210/db
	// wais view {"wais://host.dom:210/db"}
}

func ExampleOptional_MarshalJSON() {
	v, _ := locator.As[*locator.News](locator.MustParse("news:comp.lang.c"))
	text, err := json.Marshal(map[string]locator.Optional{"port": {}, "name": locator.Some(v.Group)})
	fmt.Println(string(text), err)
	// Output: {"name":"comp.lang.c","port":null} <nil>
}

func ExampleOptional_UnmarshalJSON() {
	var port locator.Optional
	err := json.Unmarshal([]byte(`"1738"`), &port)
	fmt.Println(port.Or("none"), err)
	// Output: 1738 <nil>
}

func ExampleLogin_LogValue() {
	v, _ := locator.As[*locator.FTP](locator.MustParse("ftp://me:s3cret@host.dom/"))
	fmt.Println(v.Login.LogValue())
	// Output: me:****@host.dom
}
