package tree_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"locator/client"
	"locator/scheme"
	"locator/scheme/all"
	"locator/scheme/ftp/ftptest"
	"locator/schemetest/peer"
	"locator/tree"
)

func ExampleWalk() {
	s, err := ftptest.Start([]peer.File{
		{Path: []string{"docs", "motd"}, Content: "welcome\n"},
		{Path: []string{"docs", "old", "motd"}, Content: "welcome back\n"},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	c := client.New(client.Options{Registry: all.Registry()})
	defer c.Close()
	for v := range tree.Walk(context.Background(), c, scheme.Request{URL: s.URL("docs", "")}, tree.WalkOptions{}) {
		if v.Err != nil {
			log.Fatal(v.Err)
		}
		fmt.Println(v.Entry.Kind, strings.Join(v.Path, "/"))
	}
	// Unordered output:
	// object motd
	// listing old
	// object old/motd
}
