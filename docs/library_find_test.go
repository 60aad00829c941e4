package docs_test

import (
	"context"
	"fmt"

	"locator/explain"
	"locator/find/search"
	"locator/policy"
	"locator/scheme/all"
)

func Example_explain() {
	e := explain.Explainer{Registry: all.Registry(), Policy: policy.New(policy.Options{})}
	x := e.Explain("ftp://me:secret@host.dom/a/motd")
	fmt.Println(x.Shown(false), x.Rule)
	fmt.Println(x.Steps)
	for _, f := range x.Findings {
		fmt.Println(f.Severity, f.Code)
	}
	// Output:
	// ftp://me:****@host.dom/a/motd ftpurl
	// [CONNECT host.dom:21 USER me PASS **** CWD a TYPE I RETR motd]
	// warning password
}

func Example_search() {
	ctx := context.Background()
	s := search.Search{Unique: true, Schemes: []string{"ftp"}}
	for m, err := range s.All(ctx, "docs", "README.md") {
		if err != nil {
			fmt.Println(err) // a *search.TextError; the others are searched all the same
			continue
		}
		fmt.Printf("%s:%d:%d: %s\n", m.Text.Name, m.Line, m.Column, m.URL)
	}
}
