package scheme_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/scheme/gopher"
)

// hello is a scheme whose URLs, such as x-hello:world, contain what they locate.
type hello struct{}

func (hello) Syntax() *locator.Syntax { return &locator.Syntax{Name: "x-hello"} }

func (hello) Access(_ context.Context, _ *scheme.Env, r scheme.Request, _ scheme.AccessOptions) (*scheme.Resource, error) {
	name := locator.Decode(r.URL.SchemePart())
	if name == "" {
		return nil, scheme.Fail(scheme.CodeNotFound, "nobody to greet")
	}
	text := "Hello, " + name + "!"
	return &scheme.Resource{
		URL: r.URL, Kind: scheme.KindObject, Body: io.NopCloser(strings.NewReader(text)),
		Attr: scheme.Attr{Type: "text/plain", Size: scheme.Known(int64(len(text)))},
	}, nil
}

// A scheme is a type with two methods. A client that has it in its registry applies policy, limits and redirects, and wraps its
// errors.
func Example() {
	c := client.New(client.Options{Registry: scheme.NewRegistry(hello{})})
	defer c.Close()
	ctx := context.Background()
	res, err := c.Access(ctx, scheme.Request{URL: locator.MustParse("x-hello:Mr%20World")}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer res.Close()
	text, err := io.ReadAll(res.Body)
	fmt.Println(string(text), err)

	_, err = c.Access(ctx, scheme.Request{URL: locator.MustParse("x-hello:")}, nil)
	fmt.Println(err, errors.Is(err, fs.ErrNotExist))
	// Output:
	// Hello, Mr World! <nil>
	// access x-hello:: nobody to greet true
}

func ExampleNewRegistry() {
	r := scheme.NewRegistry(gopher.Scheme{}, hello{})
	fmt.Println(r.Names())
	_, ok := r.Lookup("ftp")
	fmt.Println(ok)
	// Output:
	// [gopher x-hello]
	// false
}

func ExampleError() {
	err := error(scheme.Replied(scheme.CodeNotFound, "550 No such file", "the server has no file motd"))
	var e *scheme.Error
	if errors.As(err, &e) {
		fmt.Println(e.Code, e.Code.Exit(), e.Code.HTTP(), e.Reply)
	}
	fmt.Println(errors.Is(err, fs.ErrNotExist))
	// Output:
	// not found 7 404 550 No such file
	// true
}

func ExampleCount() {
	var size scheme.Count
	fmt.Println(size, size.Or(-1))
	size = scheme.Known(0)
	n, ok := size.Get()
	fmt.Println(size, n, ok)
	// Output:
	// unknown -1
	// 0 0 true
}

func ExampleResource_String() {
	res := &scheme.Resource{
		URL: locator.MustParse("ftp://me:secret@host.dom/motd"), Kind: scheme.KindObject,
		Attr: scheme.Attr{Size: scheme.Known(29), Type: "text/plain"},
	}
	fmt.Println(res)
	// Output: object ftp://me:****@host.dom/motd (29 bytes, text/plain)
}
