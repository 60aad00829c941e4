package schemetest

import (
	"context"
	"net"
	"slices"
	"strings"
	"testing"

	"locator"
	"locator/scheme"
	"locator/scheme/message"
	"locator/schemetest/peer"
	"locator/wire"
)

// drafter is a scheme of drafts for the tests of the suite. With a flaw it breaks a duty.
type drafter struct {
	flaw string
	addr string // of a server that it must not ask
}

func (p drafter) Syntax() *locator.Syntax { return locator.SyntaxOf("mailto") }

func (p drafter) Access(ctx context.Context, env *scheme.Env, r scheme.Request, _ scheme.AccessOptions) (*scheme.Resource, error) {
	d, err := p.Draft(ctx, env, r)
	if err != nil {
		return nil, err
	}
	if p.flaw == "dials" {
		conn, err := env.Dial(ctx, scheme.Dial{Purpose: scheme.ForHop, Addr: p.addr})
		if err != nil {
			return nil, err
		}
		conn.Close()
	}
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindDraft, Draft: d, Notes: d.Notes}, nil
}

func (p drafter) Draft(ctx context.Context, _ *scheme.Env, r scheme.Request) (*message.Draft, error) {
	v, _ := locator.As[*locator.Mailto](r.URL)
	d := &message.Draft{To: v.To}
	for _, f := range v.Headers {
		switch {
		case wire.Check("field", f.Value, "") != nil && p.flaw != "line ends":
			return nil, scheme.Fail(scheme.CodeRefused, "a line end")
		case f.Name == "subject" || p.flaw == "any field":
			d.Header = append(d.Header, message.Field{Name: f.Name, Value: f.Value})
		case p.flaw != "says nothing":
			d.Notes = append(d.Notes, "left out: "+f.Name)
		}
	}
	return d, nil
}

func (p drafter) Update(context.Context, *scheme.Env, scheme.Request, scheme.Body, scheme.WriteOptions) (*scheme.Resource, error) {
	return nil, scheme.Fail(scheme.CodeUnsupported, "it only makes drafts")
}

// Link writes a draft as a URL.
func (p drafter) Link(d *message.Draft) (locator.URL, error) {
	v := &locator.Mailto{To: d.To}
	for _, f := range d.Header {
		if wire.Check("field", f.Value, "") != nil && p.flaw != "links line ends" {
			return locator.URL{}, scheme.Fail(scheme.CodeRefused, "a line end")
		}
		if p.flaw != "links less" {
			v.Headers = append(v.Headers, locator.Pair{Name: f.Name, Value: f.Value})
		}
	}
	return locator.Build(v)
}

// idle is a server that is not asked.
type idle struct{ *peer.Host }

func (idle) URL(...string) locator.URL     { return locator.URL{} }
func (idle) File(...string) ([]byte, bool) { return nil, false }

// A correct scheme of drafts passes the duties about drafts, and all of them are run. A broken one
// fails the duty that it breaks.
func TestSuiteDrafts(t *testing.T) {
	for flaw, broken := range map[string]string{
		"": "", "dials": "draft", "links less": "draft", "links line ends": "draft",
		"line ends": "unsafe fields", "any field": "unsafe fields", "says nothing": "unsafe fields",
	} {
		t.Run(flaw, func(t *testing.T) {
			server := idle{peer.ListenFor(t)}
			server.Serve(func(net.Conn) {})
			h := &Harness{
				Scheme: drafter{flaw, server.Addr()}, Local: true,
				Start: func(*testing.T) Server { return server },
				Alone: func(Server) locator.URL {
					u, _ := locator.Current.Parse("mailto:a@b.example?subject=x")
					return u
				},
				Unsafe: map[string]string{"mailto:a@b.example?attach=x": "attach", "mailto:a@b.example?subject=x%0D%0AFrom:y": "from"},
			}
			r := newRecorder(t)
			mine := slices.DeleteFunc(duties(), func(d duty) bool { return !aboutDrafts(d.name) || !d.when(h) })
			if len(mine) != 2 {
				t.Errorf("%d duties are tried", len(mine))
			}
			run(r, h, mine, quick)
			for name, found := range r.failed {
				if broken == "" {
					t.Errorf("the duty %q fails: %q", name, found)
				}
			}
			if broken != "" && !strings.Contains(strings.Join(r.failed[broken], ""), "duty: ") {
				t.Errorf("the duty %q does not notice", broken)
			}
		})
	}
}

// aboutDrafts reports whether a duty is about schemes whose access makes a draft.
func aboutDrafts(name string) bool { return name == "draft" || name == "unsafe fields" }
