package nntp_test

import (
	"slices"
	"strings"
	"testing"

	"locator/client"
	"locator/scheme"
)

// A check asks for no more than whether an article or a group is there.
func TestCheck(t *testing.T) {
	t.Parallel()
	s := start(t, numbered(2)...)
	c := newClient(t)
	for _, tt := range []struct {
		number int64
		code   scheme.Code
		sent   []string
	}{
		{0, scheme.CodeOK, []string{"GROUP g.test"}},
		{1, scheme.CodeOK, []string{"STAT 1"}},
		{999, scheme.CodeNotFound, []string{"STAT 999"}},
	} {
		before := len(s.Lines())
		_, err := c.Check(t.Context(), scheme.Request{URL: s.GroupURL("g.test", tt.number)}, nil)
		if client.CodeOf(err) != tt.code {
			t.Errorf("%d: %v, want code %v", tt.number, err, tt.code)
		}
		sent := s.Lines()[before:]
		for _, line := range tt.sent {
			if !slices.Contains(sent, line) {
				t.Errorf("%d: sent %q, want %q among them", tt.number, sent, line)
			}
		}
		for _, line := range sent {
			if strings.HasPrefix(line, "ARTICLE") || strings.HasPrefix(line, "HEAD") || strings.HasPrefix(line, "LIST") {
				t.Errorf("%d: sent %q", tt.number, line)
			}
		}
	}
}
