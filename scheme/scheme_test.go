package scheme_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"locator"
	"locator/internal/clock"
	"locator/scheme"
	"locator/scheme/ability"
	"locator/scheme/form"
)

// Covers: A15
func TestAbilities(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"ftp":      "access list attributes update replace remove rename mkdir",
		"http":     "access attributes update replace",
		"gopher":   "access list attributes",
		"mailto":   "access attributes update",
		"news":     "access list update",
		"nntp":     "access list update",
		"telnet":   "access",
		"wais":     "access list",
		"file":     "access list attributes update replace",
		"prospero": "access list attributes",
	}
	r := scheme.NewRegistry(ten()...)
	if got := len(r.Names()); got != len(want) {
		t.Errorf("%d schemes, want %d", got, len(want))
	}
	for name, abilities := range want {
		s, ok := r.Lookup(name)
		if !ok {
			t.Errorf("no scheme %s", name)
			continue
		}
		if got := strings.Join(ability.Names(s), " "); got != abilities {
			t.Errorf("%s: abilities %q, want %q", name, got, abilities)
		}
	}
}

// pipeEnv returns an Env whose connections lead to a server that reads everything and sends
// nothing.
func pipeEnv(t *testing.T) *scheme.Env {
	env := &scheme.Env{
		Dial: func(context.Context, scheme.Dial) (net.Conn, error) {
			ours, theirs := net.Pipe()
			go io.Copy(io.Discard, theirs)
			t.Cleanup(func() { theirs.Close() })
			return ours, nil
		},
		Login:   func(context.Context, scheme.LoginRequest) (string, string, bool, error) { return "", "", false, nil },
		Servers: make([]locator.URL, 1),
		MX: func(context.Context, string) ([]*net.MX, error) {
			return []*net.MX{{Host: "mx.host.dom.", Pref: 10}}, nil
		},
		Limits: scheme.Limits{}.WithDefaults(),
		Clock:  clock.System{},
		Mail:   "locator@",
	}
	env.Keep = func(ctx context.Context, _ string, open func(context.Context) (scheme.Kept, error)) (scheme.Kept, bool, func(bool), error) {
		c, err := open(ctx)
		return c, false, func(bool) { c.Close() }, err
	}
	return env
}

// setFields returns the names of the fields of a resource that depend on its kind and are set.
func setFields(r *scheme.Resource) string {
	var set []string
	for _, f := range []struct {
		name string
		set  bool
	}{
		{"Body", r.Body != nil}, {"Entries", r.Entries != nil}, {"Form", r.Form != nil},
		{"Session", r.Session != nil}, {"Draft", r.Draft != nil}, {"Next", len(r.Next) > 0},
	} {
		if f.set {
			set = append(set, f.name)
		}
	}
	return strings.Join(set, " ")
}

// Covers: A15
func TestTenSchemes(t *testing.T) {
	t.Parallel()
	fields := map[scheme.Kind]string{
		scheme.KindObject: "Body", scheme.KindListing: "Entries", scheme.KindQuery: "Form", scheme.KindForm: "Form",
		scheme.KindSession: "Session", scheme.KindDraft: "Draft", scheme.KindReferral: "Next",
	}
	tests := []struct {
		scheme string
		o      scheme.AccessOptions
		kind   scheme.Kind
	}{
		{"ftp", scheme.AccessOptions{}, scheme.KindObject},
		{"ftp", scheme.AccessOptions{Raw: scheme.RawAll}, scheme.KindObject},
		{"http", scheme.AccessOptions{}, scheme.KindObject},
		{"http", scheme.AccessOptions{Query: locator.Some("301")}, scheme.KindReferral},
		{"gopher", scheme.AccessOptions{}, scheme.KindQuery},
		{"gopher", scheme.AccessOptions{Detail: true}, scheme.KindForm},
		{"gopher", scheme.AccessOptions{Query: locator.Some("")}, scheme.KindListing},
		{"mailto", scheme.AccessOptions{}, scheme.KindDraft},
		{"news", scheme.AccessOptions{}, scheme.KindListing},
		{"nntp", scheme.AccessOptions{Detail: true}, scheme.KindObject},
		{"telnet", scheme.AccessOptions{}, scheme.KindSession},
		{"wais", scheme.AccessOptions{}, scheme.KindQuery},
		{"wais", scheme.AccessOptions{Query: locator.Some("")}, scheme.KindListing},
		{"file", scheme.AccessOptions{}, scheme.KindListing},
		{"prospero", scheme.AccessOptions{}, scheme.KindReferral},
	}
	registry := scheme.NewRegistry(ten()...)
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%s %v", tt.scheme, tt.kind), func(t *testing.T) {
			t.Parallel()
			s, _ := registry.Lookup(tt.scheme)
			res, err := s.Access(t.Context(), pipeEnv(t), scheme.Request{}, tt.o)
			if err != nil {
				t.Fatal(err)
			}
			if res.Kind != tt.kind {
				t.Errorf("kind %v, want %v", res.Kind, tt.kind)
			}
			if got, want := setFields(res), fields[tt.kind]; got != want {
				t.Errorf("a %v has the fields %q, want %q", tt.kind, got, want)
			}
			if res.Entries != nil {
				for e, err := range res.Entries {
					if err != nil || e.Name == "" {
						t.Errorf("entry %+v, error %v", e, err)
					}
				}
			}
			if err := res.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
		})
	}
}

// Fill returns the URL of a filled form, but not if the URL would contain a secret (RFC 1738
// 3.4.9).
//
// Covers: P3
func TestFormKeepsSecrets(t *testing.T) {
	t.Parallel()
	res, err := gopherSketch{"gopher"}.Access(t.Context(), pipeEnv(t), scheme.Request{}, scheme.AccessOptions{Detail: true})
	if err != nil {
		t.Fatal(err)
	}
	s := gopherSketch{"gopher"}
	if _, ok := s.Fill(scheme.Request{}, res.Form, []form.Answer{{Value: "alice"}}); !ok {
		t.Error("a form without a secret has no URL")
	}
	if _, ok := s.Fill(scheme.Request{}, res.Form, []form.Answer{{Value: "alice"}, {Value: "s3cret"}}); ok {
		t.Error("a filled secret is put into a URL")
	}
}

// An operation without a configured server returns an error with a code.
func TestSketchErrors(t *testing.T) {
	t.Parallel()
	env := pipeEnv(t)
	env.Servers = nil
	_, err := mailtoSketch{"mailto"}.Update(t.Context(), env, scheme.Request{}, scheme.Body{Reader: strings.NewReader("")}, scheme.WriteOptions{})
	var e *scheme.Error
	if !errors.As(err, &e) || e.Code != scheme.CodeLocal {
		t.Errorf("mail without a server: %v, want code %v", err, scheme.CodeLocal)
	}
	res, err := mailtoSketch{"mailto"}.Attributes(t.Context(), env, scheme.Request{}, scheme.AttributesOptions{})
	if err != nil || len(res.Attr.More) != 1 || res.Attr.More[0].Value != "mx.host.dom." {
		t.Errorf("mail exchangers %+v, %v", res, err)
	}
}
