package explain_test

import (
	"fmt"
	"strings"

	"locator"
	"locator/explain"
	"locator/policy"
	"locator/scheme/all"
)

func ExampleExplainer_Explain() {
	e := explain.Explainer{Registry: all.Registry(), Policy: policy.New(policy.Options{})}
	for _, text := range []string{"ftp://me:secret@host.dom/a/motd", "http://host.dom/ä", "http:/host.dom/"} {
		x := e.Explain(text)
		if x.Err != nil {
			fmt.Printf("%s: malformed at byte %d\n", x.Shown(false), x.Err.Offset)
			continue
		}
		fmt.Printf("%s: %s (%s), in RFC 1738: %t\n", x.Shown(false), x.Rule, x.Section, x.Strict == nil)
		fmt.Println(" ", strings.Join(x.Steps, ", "))
		for _, f := range x.Findings {
			fmt.Println(" ", f.Severity, f.Code)
		}
	}
	// Output:
	// ftp://me:****@host.dom/a/motd: ftpurl (3.2), in RFC 1738: true
	//   CONNECT host.dom:21, USER me, PASS ****, CWD a, TYPE I, RETR motd
	//   warning password
	// http://host.dom/ä: httpurl (RFC 9110 4.2.1), in RFC 1738: false
	//   CONNECT host.dom:80, GET /%C3%A4 HTTP/1.1, Host: host.dom
	// http:/host.dom/: malformed at byte 6
}

func ExampleRead() {
	r := explain.Read(locator.Current, "<URL:hxxp://me:secret@host.dom/>")
	r.Repair()
	fmt.Println(r.Shown(false), r.RepairedText(false))
	for _, c := range r.Changes {
		fmt.Println(c)
	}
	// Output:
	// <URL:hxxp://me:****@host.dom/> http://me:****@host.dom/
	// byte 6: "xx" becomes "tt": "hxxp" stands for "http"
}

func ExampleSchemes() {
	for _, s := range explain.Schemes(all.Registry()) {
		if s.Name == "ftp" {
			fmt.Println(s.Port, s.Section, s.Abilities)
		}
	}
	// Output:
	// 21 3.2 [access list attributes update replace remove rename mkdir]
}
