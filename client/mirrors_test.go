package client

import (
	"context"
	"strings"
	"testing"

	"locator"
	"locator/scheme"
)

// places is a scheme whose servers fail with the error that their name selects.
type places struct {
	fake
	asked []string
}

func (p *places) at(r scheme.Request) error {
	p.asked = append(p.asked, r.URL.Host())
	switch host := r.URL.Host(); {
	case strings.HasPrefix(host, "down"):
		return scheme.Fail(scheme.CodeUnreachable, "nobody there")
	case strings.HasPrefix(host, "busy"):
		return scheme.Fail(scheme.CodeUnavailable, "not now")
	case strings.HasPrefix(host, "gone"):
		return scheme.Fail(scheme.CodeNotFound, "no such item")
	}
	return nil
}

func (p *places) Access(_ context.Context, _ *scheme.Env, r scheme.Request, _ scheme.AccessOptions) (*scheme.Resource, error) {
	if err := p.at(r); err != nil {
		return nil, err
	}
	if len(r.Mirrors) > 0 {
		return nil, scheme.Fail(scheme.CodeProtocol, "mirrors are the client's business")
	}
	return text("from " + r.URL.Host()), nil
}

func (p *places) List(_ context.Context, _ *scheme.Env, r scheme.Request, _ scheme.ListOptions) (*scheme.Resource, error) {
	return &scheme.Resource{Kind: scheme.KindListing, Entries: func(yield func(scheme.Entry, error) bool) {
		if err := p.at(r); err != nil {
			yield(scheme.Entry{}, err)
			return
		}
		yield(scheme.Entry{Name: "from " + r.URL.Host()}, nil)
	}}, nil
}

func (p *places) Attributes(_ context.Context, _ *scheme.Env, r scheme.Request, _ scheme.AttributesOptions) (*scheme.Resource, error) {
	return &scheme.Resource{Kind: scheme.KindObject, Attr: scheme.Attr{Type: "from " + r.URL.Host()}}, p.at(r)
}

// Mirrors are tried in order if, and only if, the first server is unreachable or unavailable. A
// note names the mirror in use. The policy checks each one.
//
// Covers: A7, G3, T150
func TestMirrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		first   string
		mirrors string
		asked   string
		code    scheme.Code
	}{
		{"up", "m1 m2", "up", scheme.CodeOK},
		{"down", "m1 m2", "down m1", scheme.CodeOK},
		{"busy", "down2 m2", "busy down2 m2", scheme.CodeOK},
		{"gone", "m1", "gone", scheme.CodeNotFound},
		{"down", "gone2 busy2", "down gone2 busy2", scheme.CodeUnreachable},
		{"down", "private m2", "down m2", scheme.CodeOK},
		{"down", "", "down", scheme.CodeUnreachable},
	} {
		for _, name := range []string{"access", "list", "attributes", "check"} {
			s := &places{fake: fake{name: "x-test"}}
			var notes []string
			hops := make(map[string]scheme.Hop)
			policy := &asked{url: func(u locator.URL, h scheme.Hop) error {
				hops[u.Host()] = h
				if u.Host() == "private" {
					return scheme.Fail(scheme.CodeRefused, "not there")
				}
				return nil
			}}
			c := New(Options{Registry: scheme.NewRegistry(s), Policy: policy, Note: func(_ locator.URL, text string) { notes = append(notes, text) }})
			menu := parse("x-test://menu/")
			r := scheme.Request{URL: parse("x-test://" + tt.first + "/"), From: &scheme.Hop{Kind: scheme.HopMenuItem, From: menu, N: 1, FromPublic: true}}
			for host := range strings.FieldsSeq(tt.mirrors) {
				r.Mirrors = append(r.Mirrors, parse("x-test://"+host+"/"))
			}
			var got string
			var err error
			switch name {
			case "access":
				var res *scheme.Resource
				if res, err = c.Access(t.Context(), r, nil); err == nil {
					got = "from " + res.URL.Host()
					notes = append(notes, res.Notes...)
				}
			case "list":
				var e scheme.Entry
				for e, err = range Entries(c.List(t.Context(), r, nil)) {
					got = e.Name
				}
			case "attributes":
				var res *scheme.Resource
				if res, err = c.Attributes(t.Context(), r, nil); err == nil {
					got = res.Attr.Type
					notes = append(notes, res.Notes...)
				}
			default:
				var res *scheme.Resource
				if res, err = c.Check(t.Context(), r, nil); err == nil {
					got = res.Attr.Type
					notes = append(notes, res.Notes...)
				}
			}
			last := tt.asked[strings.LastIndexByte(tt.asked, ' ')+1:]
			if asked := strings.Join(s.asked, " "); asked != tt.asked || CodeOf(err) != tt.code || err == nil && got != "from "+last {
				t.Errorf("%s %s, %s: asked %q, %q, %v; want %q, %v", name, tt.first, tt.mirrors, asked, got, err, tt.asked, tt.code)
			}
			if tt.code != scheme.CodeOK && !strings.Contains(err.Error(), tt.first) {
				t.Errorf("%s %s, %s: the error is not that of the URL: %v", name, tt.first, tt.mirrors, err)
			}
			using := 0
			if err == nil && last != tt.first {
				using = 1
			}
			if n := strings.Count(strings.Join(notes, "\n"), "using mirror x-test://"+last); n != using {
				t.Errorf("%s %s, %s: notes %q", name, tt.first, tt.mirrors, notes)
			}
			for host, h := range hops {
				if mirror := host != tt.first; (h.Kind == scheme.HopReferral) != mirror || !h.FromPublic || mirror && h.N != 2 {
					t.Errorf("%s: policy was asked by the hop %+v", host, h)
				}
			}
		}
	}
}

// Covers: A7
func TestMirrorURLs(t *testing.T) {
	t.Parallel()
	e := scheme.Entry{Mirrors: []scheme.Entry{{URL: parse("x-test://a/")}, {Name: "leads nowhere"}, {URL: parse("x-test://b/")}}}
	if got := e.MirrorURLs(); len(got) != 2 || got[0].Host() != "a" || got[1].Host() != "b" {
		t.Errorf("%v", got)
	}
}
