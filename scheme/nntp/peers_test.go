package nntp_test

import (
	"strings"
	"testing"

	"locator"
	"locator/client"
	"locator/internal/peers"
	"locator/policy"
	"locator/scheme"
)

// TestPeers reads from INN: from innd, which insists on MODE READER, and from nnrpd.
//
// Covers: S11, S12, A9
func TestPeers(t *testing.T) {
	e := peers.Start(t, "inn")
	for _, name := range []string{"inn", "nnrpd"} {
		t.Run(name, func(t *testing.T) {
			addr := e.Addr(t, name)
			server := locator.MustParse("nntp://" + addr + "/" + e.Newsgroup)
			c := newClient(t, func(o *client.Options) {
				port, _ := server.PortNumber()
				o.Policy = policy.New(policy.Options{AllowPorts: []uint16{port}})
				u, err := locator.Current.Parse("news://" + addr + "/")
				if err != nil {
					t.Fatal(err)
				}
				o.Servers = map[string][]locator.URL{"news": {u}}
			})
			got, err := names(t, c, server, scheme.ListOptions{})
			if err != nil || len(got) < 3 || got[0] != "First article" || got[2] != "Third: café" {
				t.Errorf("%q, %v", got, err)
			}
			if got, err := names(t, c, locator.MustParse("news:local.empty"), scheme.ListOptions{}); err != nil || len(got) > 0 {
				t.Errorf("the empty group: %q, %v", got, err)
			}
			groups, err := names(t, c, locator.MustParse("news:*"), scheme.ListOptions{})
			if err != nil || !strings.Contains(strings.Join(groups, " "), "local.test") {
				t.Errorf("%q, %v", groups, err)
			}
			byNumber, err := get(t, c, locator.MustParse("nntp://"+addr+"/"+e.Newsgroup+"/1"))
			if err != nil || !strings.HasSuffix(byNumber, "\r\n\r\nBody of one.\r\n.one dot\r\n..two dots\r\n.\r\nend\r\n") {
				t.Errorf("%q, %v", byNumber, err)
			}
			if byID, err := get(t, c, locator.MustParse("news:art1@example.invalid")); err != nil || byID != byNumber {
				t.Errorf("by message-id: %q, %v", byID, err)
			}
			if third, err := get(t, c, locator.MustParse("news:art3$x/y+z@example.invalid")); err != nil || !strings.Contains(third, "café") {
				t.Errorf("%q, %v", third, err)
			}
			for text, code := range map[string]scheme.Code{
				"nntp://" + addr + "/no.such.group": scheme.CodeNotFound, "nntp://" + addr + "/local.test/99999": scheme.CodeNotFound,
				"news:none@example.invalid": scheme.CodeNotFound,
			} {
				_, err := get(t, c, locator.MustParse(text))
				wantCode(t, err, code)
			}
			res, err := c.Attributes(t.Context(), scheme.Request{URL: locator.MustParse("news:art3$x/y+z@example.invalid")}, nil)
			if err != nil || res.Attr.ID != "art3$x/y+z@example.invalid" || res.Attr.From != "alice <alice@example.invalid>" || res.Attr.Modified.IsZero() {
				t.Errorf("%+v, %v", res, err)
			}
		})
	}
}
