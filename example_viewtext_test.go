package locator_test

import (
	"encoding/json"
	"fmt"

	"locator"
)

func ExampleFTP_MarshalText() {
	v, _ := locator.As[*locator.FTP](locator.MustParse("ftp://me:s3cret@host.dom/%FF"))
	text, err := json.Marshal(v)
	fmt.Println(string(text), err)
	// Output: "ftp://me:s3cret@host.dom/%FF" <nil>
}

func ExampleFTP_UnmarshalText() {
	var v locator.FTP
	err := json.Unmarshal([]byte(`"ftp://me:s3cret@host.dom/%FF"`), &v)
	fmt.Println(v, err)
	// Output: ftp://me:****@host.dom/%FF <nil>
}

func ExampleFTP_LogValue() {
	v, _ := locator.As[*locator.FTP](locator.MustParse("ftp://me:s3cret@host.dom/%FF"))
	fmt.Println(v.LogValue())
	// Output: ftp://me:****@host.dom/%FF
}

func ExampleHTTP_MarshalText() {
	v, _ := locator.As[*locator.HTTP](locator.MustParse("http://host.dom/%FF"))
	text, err := json.Marshal(v)
	fmt.Println(string(text), err)
	// Output: "http://host.dom/%FF" <nil>
}

func ExampleHTTP_UnmarshalText() {
	var v locator.HTTP
	err := json.Unmarshal([]byte(`"http://host.dom/%FF"`), &v)
	fmt.Println(v, err)
	// Output: http://host.dom/%FF <nil>
}

func ExampleHTTP_LogValue() {
	v, _ := locator.As[*locator.HTTP](locator.MustParse("http://host.dom/%FF"))
	fmt.Println(v.LogValue())
	// Output: http://host.dom/%FF
}

func ExampleGopher_MarshalText() {
	v, _ := locator.As[*locator.Gopher](locator.MustParse("gopher://host.dom:7070/0%FF"))
	text, err := json.Marshal(v)
	fmt.Println(string(text), err)
	// Output: "gopher://host.dom:7070/0%FF" <nil>
}

func ExampleGopher_UnmarshalText() {
	var v locator.Gopher
	err := json.Unmarshal([]byte(`"gopher://host.dom:7070/0%FF"`), &v)
	fmt.Println(v, err)
	// Output: gopher://host.dom:7070/0%FF <nil>
}

func ExampleGopher_LogValue() {
	v, _ := locator.As[*locator.Gopher](locator.MustParse("gopher://host.dom:7070/0%FF"))
	fmt.Println(v.LogValue())
	// Output: gopher://host.dom:7070/0%FF
}

func ExampleMailto_MarshalText() {
	v, _ := locator.As[*locator.Mailto](locator.MustParse("mailto:me@host.dom"))
	text, err := json.Marshal(v)
	fmt.Println(string(text), err)
	// Output: "mailto:me@host.dom" <nil>
}

func ExampleMailto_UnmarshalText() {
	var v locator.Mailto
	err := json.Unmarshal([]byte(`"mailto:me@host.dom"`), &v)
	fmt.Println(v, err)
	// Output: mailto:me@host.dom <nil>
}

func ExampleMailto_LogValue() {
	v, _ := locator.As[*locator.Mailto](locator.MustParse("mailto:me@host.dom"))
	fmt.Println(v.LogValue())
	// Output: mailto:me@host.dom
}

func ExampleNews_MarshalText() {
	v, _ := locator.As[*locator.News](locator.MustParse("news:comp.lang.c"))
	text, err := json.Marshal(v)
	fmt.Println(string(text), err)
	// Output: "news:comp.lang.c" <nil>
}

func ExampleNews_UnmarshalText() {
	var v locator.News
	err := json.Unmarshal([]byte(`"news:comp.lang.c"`), &v)
	fmt.Println(v, err)
	// Output: news:comp.lang.c <nil>
}

func ExampleNews_LogValue() {
	v, _ := locator.As[*locator.News](locator.MustParse("news:comp.lang.c"))
	fmt.Println(v.LogValue())
	// Output: news:comp.lang.c
}

func ExampleNNTP_MarshalText() {
	v, _ := locator.As[*locator.NNTP](locator.MustParse("nntp://host.dom/comp.lang.c/42"))
	text, err := json.Marshal(v)
	fmt.Println(string(text), err)
	// Output: "nntp://host.dom/comp.lang.c/42" <nil>
}

func ExampleNNTP_UnmarshalText() {
	var v locator.NNTP
	err := json.Unmarshal([]byte(`"nntp://host.dom/comp.lang.c/42"`), &v)
	fmt.Println(v, err)
	// Output: nntp://host.dom/comp.lang.c/42 <nil>
}

func ExampleNNTP_LogValue() {
	v, _ := locator.As[*locator.NNTP](locator.MustParse("nntp://host.dom/comp.lang.c/42"))
	fmt.Println(v.LogValue())
	// Output: nntp://host.dom/comp.lang.c/42
}

func ExampleTelnet_MarshalText() {
	v, _ := locator.As[*locator.Telnet](locator.MustParse("telnet://me:s3cret@host.dom/"))
	text, err := json.Marshal(v)
	fmt.Println(string(text), err)
	// Output: "telnet://me:s3cret@host.dom/" <nil>
}

func ExampleTelnet_UnmarshalText() {
	var v locator.Telnet
	err := json.Unmarshal([]byte(`"telnet://me:s3cret@host.dom/"`), &v)
	fmt.Println(v, err)
	// Output: telnet://me:****@host.dom/ <nil>
}

func ExampleTelnet_LogValue() {
	v, _ := locator.As[*locator.Telnet](locator.MustParse("telnet://me:s3cret@host.dom/"))
	fmt.Println(v.LogValue())
	// Output: telnet://me:****@host.dom/
}

func ExampleWAIS_MarshalText() {
	v, _ := locator.As[*locator.WAIS](locator.MustParse("wais://host.dom/db?words"))
	text, err := json.Marshal(v)
	fmt.Println(string(text), err)
	// Output: "wais://host.dom/db?words" <nil>
}

func ExampleWAIS_UnmarshalText() {
	var v locator.WAIS
	err := json.Unmarshal([]byte(`"wais://host.dom/db?words"`), &v)
	fmt.Println(v, err)
	// Output: wais://host.dom/db?words <nil>
}

func ExampleWAIS_LogValue() {
	v, _ := locator.As[*locator.WAIS](locator.MustParse("wais://host.dom/db?words"))
	fmt.Println(v.LogValue())
	// Output: wais://host.dom/db?words
}

func ExampleFile_MarshalText() {
	v, _ := locator.As[*locator.File](locator.MustParse("file:///etc/motd"))
	text, err := json.Marshal(v)
	fmt.Println(string(text), err)
	// Output: "file:///etc/motd" <nil>
}

func ExampleFile_UnmarshalText() {
	var v locator.File
	err := json.Unmarshal([]byte(`"file:///etc/motd"`), &v)
	fmt.Println(v, err)
	// Output: file:///etc/motd <nil>
}

func ExampleFile_LogValue() {
	v, _ := locator.As[*locator.File](locator.MustParse("file:///etc/motd"))
	fmt.Println(v.LogValue())
	// Output: file:///etc/motd
}
