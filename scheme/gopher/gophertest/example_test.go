package gophertest_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"locator/client"
	"locator/scheme"
	"locator/scheme/all"
	"locator/scheme/gopher/gophertest"
)

// A folder with a gophermap, a search and a form, read by the client.
func ExampleDir() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	menu := "!My hole\nWelcome.\n0About me\tabout.txt\n7Find\t/find\n0Guest book\t/guests\n"
	for name, content := range map[string]string{"gophermap": menu, "about.txt": "Hello.\n", "about.txt.abstract": "Who I am."} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			fmt.Println(err)
			return
		}
	}
	guests := gophertest.Form{Ask: []string{"Ask: Name", "AskL: Words"}}
	guests.Handle = func(data string) string {
		answers, ok := guests.Answers(data)
		if !ok {
			return "Please fill in the form.\r\n"
		}
		return "Thanks, " + answers[0].Value + ".\r\n"
	}
	s, err := gophertest.Start(nil, gophertest.Dir(dir), gophertest.Ask("guests", guests),
		gophertest.Search("find", func(words string) string { return "You looked for " + words + ".\n" }))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()

	ctx, c := context.Background(), client.New(client.Options{Registry: all.Registry()})
	defer c.Close()
	for e, err := range c.List(ctx, scheme.Request{URL: s.URL(""), Detail: true}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(e.Kind, e.Name)
	}
	form, err := c.Access(ctx, scheme.Request{URL: s.Item('0', "/guests", "?")})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer form.Close()
	reply, err := form.Form.Submit(ctx, []scheme.Answer{{Name: "Name", Value: "Ada"}, {Name: "Words", Value: "Nice.\nVery."}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer reply.Close()
	text, err := io.ReadAll(reply.Body)
	fmt.Println(strings.TrimSpace(string(text)), err)
	// Output:
	// note My hole
	// note Welcome.
	// object About me
	// query Find
	// form Guest book
	// Thanks, Ada. <nil>
}
