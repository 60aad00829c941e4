package outbox_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"locator"
	"locator/outbox"
	"locator/scheme"
)

// post is a server. A program would use a client.Client in its place.
type post struct{ reachable bool }

func (p *post) Update(_ context.Context, r scheme.Request, b scheme.Body, o *scheme.WriteOptions) (*scheme.Resource, error) {
	if !p.reachable {
		return nil, scheme.Fail(scheme.CodeUnreachable, "the server cannot be reached")
	}
	if err := b.Pass(); err != nil {
		return nil, err
	}
	return &scheme.Resource{URL: r.URL, Receipt: &scheme.Receipt{Reply: "250 accepted"}}, nil
}

// box opens an outbox in a new folder.
func box() (b *outbox.Outbox, done func()) {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	b, err = outbox.Open(filepath.Join(dir, "outbox"), outbox.Options{})
	if err != nil {
		log.Fatal(err)
	}
	return b, func() {
		b.Close()
		os.RemoveAll(dir)
	}
}

func message() outbox.Message {
	u, err := locator.Current.Parse("mailto:alice@example.org")
	if err != nil {
		log.Fatal(err)
	}
	return outbox.Message{URL: u, ID: "1994.1@example.com", Recipients: []string{"alice@example.org"}, Subject: "Tea",
		Content: []byte("Message-ID: <1994.1@example.com>\r\nSubject: Tea\r\n\r\nAt five?\r\n")}
}

// A message waits in the outbox until the server has accepted it.
func Example() {
	b, done := box()
	defer done()
	e, err := b.Add(message())
	if err != nil {
		log.Fatal(err)
	}
	server := &post{}
	for range 2 {
		e, err = b.Send(context.Background(), server, e.ID, outbox.SendOptions{})
		fmt.Println(e.State, err)
		server.reachable = true
	}
	fmt.Println(e.Receipt.Reply)
	// Output:
	// queued the server cannot be reached
	// sent <nil>
	// 250 accepted
}

// SendDue sends all messages whose time has come, for example once an hour.
func ExampleOutbox_SendDue() {
	b, done := box()
	defer done()
	if _, err := b.Add(message()); err != nil {
		log.Fatal(err)
	}
	err := b.SendDue(context.Background(), &post{reachable: true}, outbox.SendOptions{}, func(e outbox.Entry, err error) {
		fmt.Println(e.Subject, e.State, err)
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output: Tea sent <nil>
}
