package main

import (
	"bytes"
	"strings"
	"testing"
)

// TestExplainServer shows the configured news server in the steps of a URL that names none.
func TestExplainServer(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		env, want string
		args      []string
	}{
		{"", "CONNECT ?", []string{"explain", "news:comp.lang.c"}},
		{"news.example.org", "CONNECT news.example.org:119", []string{"explain", "news:comp.lang.c"}},
		{"", "CONNECT news.example.org:119", []string{"explain", "--news-server", "news.example.org", "--news-server", "other.example", "news:a1@host.example"}},
		{"", "CONNECT news.example.org:563", []string{"explain", "--news-server", "snews://news.example.org", "news:comp.lang.c"}},
		{"news.example.org", "CONNECT host.example:119", []string{"explain", "nntp://host.example/comp.lang.c"}},
	} {
		var out, errs bytes.Buffer
		status := run(t.Context(), tt.args, world{In: strings.NewReader(""), Out: &out, Err: &errs, Getenv: func(name string) string {
			if name == "NNTPSERVER" {
				return tt.env
			}
			return ""
		}})
		if status != 0 || !strings.Contains(out.String(), "\n  "+tt.want+"\n") {
			t.Errorf("%q with NNTPSERVER=%q: %d, %s%s", tt.args, tt.env, status, out.String(), errs.String())
		}
	}
}
