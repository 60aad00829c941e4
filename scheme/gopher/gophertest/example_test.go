package gophertest_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"locator/client"
	"locator/scheme"
	"locator/scheme/all"
	"locator/scheme/gopher/gophertest"
)

// This example lists a folder with a gophermap and a form.
func ExampleDir() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	menu := "!My hole\nWelcome.\n0About me\tabout.txt\n7Find\t/search\n0Guest book\t/guests\n"
	for name, content := range map[string]string{"gophermap": menu, "about.txt": "Hello.\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			fmt.Println(err)
			return
		}
	}
	s, err := gophertest.Start(nil, gophertest.Dir(dir), gophertest.Ask("guests", gophertest.Form{Ask: []string{"Ask: Name"}}))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()

	c := client.New(client.Options{Registry: all.Registry()})
	defer c.Close()
	for e, err := range client.Entries(c.List(context.Background(), scheme.Request{URL: s.URL("")}, nil)) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(e.Kind, e.Name)
	}
	// Output:
	// note My hole
	// note Welcome.
	// object About me
	// query Find
	// form Guest book
}
