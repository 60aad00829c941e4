package locator_test

import (
	"fmt"
	"strings"
	"testing"

	"locator"
)

func ExampleGopherItems() {
	items, err := locator.NewGopherItems(locator.Hostport{Host: "gopher.host.dom"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, selector := range []string{"/a b", "/c"} {
		u, _ := items.URL('0', selector, "")
		fmt.Println(u)
	}
	// Output:
	// gopher://gopher.host.dom/0/a%20b
	// gopher://gopher.host.dom/0/c
}

func ExampleNewGopherItems() {
	_, err := locator.NewGopherItems(locator.Hostport{Host: "(none)"})
	fmt.Println(err != nil)
	// Output: true
}

func ExampleGopherItems_URL() {
	items, err := locator.NewGopherItems(locator.Hostport{Host: "host.dom", Port: "7070"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(items.URL('1', "/folder", "$"))
	fmt.Println(items.URL('1', "a\tb", ""))
	// Output:
	// gopher://host.dom:7070/1/folder%09%09$ true
	//  false
}

// It gives what Build gives, for every octet.
//
// Covers: S9, S17
func TestGopherItems(t *testing.T) {
	t.Parallel()
	selectors := []string{"", "/", "plain", strings.Repeat("long/", 2000), "?x;y=z&%#~"}
	for c := range 256 {
		selectors = append(selectors, "a"+string([]byte{byte(c)})+"b")
	}
	for _, server := range []locator.Hostport{{Host: "h.dom"}, {Host: "127.0.0.1", Port: "7070"}, {Host: "[::1]", Port: "70"}} {
		items, err := locator.NewGopherItems(server)
		if err != nil {
			t.Fatal(err)
		}
		var given []locator.URL
		var want []string
		for i, selector := range selectors {
			for _, plus := range []string{"", "+", "+text/plain En_US\xff"} {
				v := &locator.Gopher{Hostport: server, Type: locator.Some(string([]byte{byte(i)})), Selector: locator.Some(selector)}
				if plus != "" {
					v.Search, v.Plus = locator.Some(""), locator.Some(plus)
				}
				w, err := locator.Build(v)
				u, ok := items.URL(byte(i), selector, plus)
				if u != w || ok != (err == nil) {
					t.Errorf("%q: %v, %v; Build gives %v, %v", selector, u, ok, w, err)
				}
				given, want = append(given, u), append(want, w.Text())
			}
		}
		for i, u := range given { // what comes later does not touch them
			if u.Text() != want[i] {
				t.Fatalf("%q became %q", want[i], u.Text())
			}
		}
	}
	for _, server := range []locator.Hostport{{}, {Host: "a b"}, {Host: "h", Port: "x"}, {Host: "h", Port: "-1"}} {
		_, err := locator.NewGopherItems(server)
		if _, want := locator.Build(&locator.Gopher{Hostport: server}); err == nil || err.Error() != want.Error() {
			t.Errorf("%+v: %v, want %v", server, err, want)
		}
	}
}

// Covers: S17
func TestGopherItemsAllocate(t *testing.T) {
	items, err := locator.NewGopherItems(locator.Hostport{Host: "gopher.host.dom"})
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(1000, func() { items.URL('0', "/a folder/a file.txt", "+") }); n > 0.1 {
		t.Errorf("%v allocations a URL", n)
	}
}
