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

func ExampleTN3270_MarshalText() {
	v, _ := locator.As[*locator.TN3270](locator.Current.MustParse("tn3270://me:s3cret@host.dom/"))
	text, err := json.Marshal(v)
	fmt.Println(string(text), err)
	// Output: "tn3270://me:s3cret@host.dom/" <nil>
}

func ExampleTN3270_UnmarshalText() {
	var v locator.TN3270
	err := json.Unmarshal([]byte(`"tn3270://me:s3cret@host.dom/"`), &v)
	fmt.Println(v, err)
	// Output: tn3270://me:****@host.dom/ <nil>
}

func ExampleTN3270_LogValue() {
	v, _ := locator.As[*locator.TN3270](locator.Current.MustParse("tn3270://me:s3cret@host.dom/"))
	fmt.Println(v.LogValue())
	// Output: tn3270://me:****@host.dom/
}

func ExampleMid_String() {
	v, _ := locator.As[*locator.Mid](locator.Current.MustParse("mid:1738@host.dom"))
	fmt.Println(v.String())
	// Output: mid:1738@host.dom
}

func ExampleMid_Format() {
	v, _ := locator.As[*locator.Mid](locator.Current.MustParse("mid:1738@host.dom"))
	fmt.Printf("%v\n", v)
	// Output: mid:1738@host.dom
}

func ExampleMid_MarshalText() {
	v, _ := locator.As[*locator.Mid](locator.Current.MustParse("mid:1738@host.dom"))
	text, err := json.Marshal(v)
	fmt.Println(string(text), err)
	// Output: "mid:1738@host.dom" <nil>
}

func ExampleMid_UnmarshalText() {
	var v locator.Mid
	err := json.Unmarshal([]byte(`"mid:1738@host.dom"`), &v)
	fmt.Println(v, err)
	// Output: mid:1738@host.dom <nil>
}

func ExampleMid_LogValue() {
	v, _ := locator.As[*locator.Mid](locator.Current.MustParse("mid:1738@host.dom"))
	fmt.Println(v.LogValue())
	// Output: mid:1738@host.dom
}

func ExampleCid_String() {
	v, _ := locator.As[*locator.Cid](locator.Current.MustParse("cid:part1@host.dom"))
	fmt.Println(v.String())
	// Output: cid:part1@host.dom
}

func ExampleCid_Format() {
	v, _ := locator.As[*locator.Cid](locator.Current.MustParse("cid:part1@host.dom"))
	fmt.Printf("%v\n", v)
	// Output: cid:part1@host.dom
}

func ExampleCid_MarshalText() {
	v, _ := locator.As[*locator.Cid](locator.Current.MustParse("cid:part1@host.dom"))
	text, err := json.Marshal(v)
	fmt.Println(string(text), err)
	// Output: "cid:part1@host.dom" <nil>
}

func ExampleCid_UnmarshalText() {
	var v locator.Cid
	err := json.Unmarshal([]byte(`"cid:part1@host.dom"`), &v)
	fmt.Println(v, err)
	// Output: cid:part1@host.dom <nil>
}

func ExampleCid_LogValue() {
	v, _ := locator.As[*locator.Cid](locator.Current.MustParse("cid:part1@host.dom"))
	fmt.Println(v.LogValue())
	// Output: cid:part1@host.dom
}

func ExampleNFS_String() {
	v, _ := locator.As[*locator.NFS](locator.Current.MustParse("nfs://host.dom/a/b"))
	fmt.Println(v.String())
	// Output: nfs://host.dom/a/b
}

func ExampleNFS_Format() {
	v, _ := locator.As[*locator.NFS](locator.Current.MustParse("nfs://host.dom/a/b"))
	fmt.Printf("%v\n", v)
	// Output: nfs://host.dom/a/b
}

func ExampleNFS_MarshalText() {
	v, _ := locator.As[*locator.NFS](locator.Current.MustParse("nfs://host.dom/a/b"))
	text, err := json.Marshal(v)
	fmt.Println(string(text), err)
	// Output: "nfs://host.dom/a/b" <nil>
}

func ExampleNFS_UnmarshalText() {
	var v locator.NFS
	err := json.Unmarshal([]byte(`"nfs://host.dom/a/b"`), &v)
	fmt.Println(v, err)
	// Output: nfs://host.dom/a/b <nil>
}

func ExampleNFS_LogValue() {
	v, _ := locator.As[*locator.NFS](locator.Current.MustParse("nfs://host.dom/a/b"))
	fmt.Println(v.LogValue())
	// Output: nfs://host.dom/a/b
}

func ExampleZ3950_String() {
	v, _ := locator.As[*locator.Z3950](locator.Current.MustParse("z39.50s://host.dom/db"))
	fmt.Println(v.String())
	// Output: z39.50s://host.dom/db
}

func ExampleZ3950_Format() {
	v, _ := locator.As[*locator.Z3950](locator.Current.MustParse("z39.50s://host.dom/db"))
	fmt.Printf("%v\n", v)
	// Output: z39.50s://host.dom/db
}

func ExampleZ3950_MarshalText() {
	v, _ := locator.As[*locator.Z3950](locator.Current.MustParse("z39.50s://host.dom/db"))
	text, err := json.Marshal(v)
	fmt.Println(string(text), err)
	// Output: "z39.50s://host.dom/db" <nil>
}

func ExampleZ3950_UnmarshalText() {
	var v locator.Z3950
	err := json.Unmarshal([]byte(`"z39.50s://host.dom/db"`), &v)
	fmt.Println(v, err)
	// Output: z39.50s://host.dom/db <nil>
}

func ExampleZ3950_LogValue() {
	v, _ := locator.As[*locator.Z3950](locator.Current.MustParse("z39.50s://host.dom/db"))
	fmt.Println(v.LogValue())
	// Output: z39.50s://host.dom/db
}
