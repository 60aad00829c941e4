package client

import (
	"context"
	"errors"
	"strings"
	"testing"

	"locator"
	"locator/internal/leaks"
	"locator/scheme"
)

// sender is a fake that can replace.
type sender struct{ fake }

func (s sender) Replace(ctx context.Context, env *scheme.Env, r scheme.Request, _ scheme.Body, _ scheme.WriteOptions) (*scheme.Resource, error) {
	return s.access(ctx, env, r)
}

// renamer is a fake that counts its renames.
type renamer struct {
	fake
	n *int
}

func (s renamer) Rename(context.Context, *scheme.Env, scheme.Request, locator.URL) error {
	*s.n++
	return nil
}

// TestRename asks policy about both URLs of a rename, and refuses another server.
//
// Covers: A15, P1
func TestRename(t *testing.T) {
	t.Parallel()
	n := 0
	c := New(Options{Registry: scheme.NewRegistry(renamer{fake{name: "ftp"}, &n}), Policy: &asked{url: func(u locator.URL, h scheme.Hop) error {
		if strings.Contains(u.Text(), "forbidden") || h.Kind != scheme.HopDirect {
			return scheme.Fail(scheme.CodeRefused, "no")
		}
		return nil
	}}})
	hop := &scheme.Hop{Kind: scheme.HopRedirect, From: parse("http://h/"), N: 1}
	for _, test := range []struct {
		from, to string
		hop      *scheme.Hop
		code     scheme.Code
	}{
		{"ftp://h/a", "ftp://H:21/b", nil, scheme.CodeOK},
		{"ftp://h/a", "ftp://h/forbidden", nil, scheme.CodeRefused},
		{"ftp://h/forbidden", "ftp://h/a", nil, scheme.CodeRefused},
		{"ftp://h/a", "ftp://h/b", hop, scheme.CodeRefused},
		{"ftp://h/a", "ftp://other/b", nil, scheme.CodeUsage},
		{"ftp://h/a", "ftp://h:2121/b", nil, scheme.CodeUsage},
		{"ftp://h/a", "http://h/b", nil, scheme.CodeUnsupported},
		{"ftp://h/a", "ftp://h/d/", nil, scheme.CodeUsage},
		{"ftp://h/a", "ftp://h/", nil, scheme.CodeUsage},
		{"ftp://h/a/", "ftp://h/d/", nil, scheme.CodeOK},
		{"ftp://h/a", "", nil, scheme.CodeMalformed},
	} {
		var to locator.URL
		if test.to != "" {
			to = parse(test.to)
		}
		before := n
		err := c.Rename(t.Context(), scheme.Request{URL: parse(test.from), From: test.hop}, to)
		if CodeOf(err) != test.code || (n > before) != (test.code == scheme.CodeOK) {
			t.Errorf("%s to %s: %v, want code %v; %d calls", test.from, test.to, err, test.code, n-before)
		}
	}
}

// TestReplaceReferral sends no body to where a server refers it, and closes what came with the
// referral.
//
// Covers: A15
func TestReplaceReferral(t *testing.T) {
	t.Parallel()
	l := leaks.Watch(t)
	c := New(Options{Registry: scheme.NewRegistry(sender{fake{name: "x-a", access: func(context.Context, *scheme.Env, scheme.Request) (*scheme.Resource, error) {
		res := refer("x-a:c")
		res.Closer = l.Closer(nil)
		return res, nil
	}}}), Policy: &asked{}})
	l.Ends(c)
	_, err := c.Replace(t.Context(), scheme.Request{URL: parse("x-a:b")}, scheme.Body{Reader: strings.NewReader("")}, nil)
	wantCode(t, err, scheme.CodeUnsupported, "redirects", "x-a:c")
}

// digests is a scheme whose server fails to compute a checksum.
type digests struct{ fake }

func (digests) Digest(context.Context, *scheme.Env, scheme.Request) (algorithm, value string, err error) {
	return "", "", scheme.Fail(scheme.CodeUnavailable, "not now")
}

// An error of Digest names this operation.
func TestDigestError(t *testing.T) {
	t.Parallel()
	c := New(Options{Policy: &asked{}, Registry: scheme.NewRegistry(digests{fake{name: "x-a"}})})
	_, _, err := c.Digest(t.Context(), scheme.Request{URL: parse("x-a:b")})
	if e, ok := errors.AsType[*scheme.Error](err); !ok || e.Op != scheme.OpDigest {
		t.Errorf("%v", err)
	}
}
