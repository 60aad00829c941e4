package prospero_test

import (
	"net/netip"
	"strings"
	"sync"
	"testing"

	"locator"
	"locator/client"
	"locator/policy"
	"locator/scheme"
	"locator/scheme/prospero/internal/ardp"
	"locator/scheme/prospero/prosperotest"
)

// recorder is a policy that records what it is asked.
type recorder struct {
	policy.Policy
	mu    sync.Mutex
	hops  []string // URLs with a hop
	dials []scheme.Dial
}

func (r *recorder) URL(u locator.URL, h scheme.Hop) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if h.Kind != scheme.HopDirect {
		r.hops = append(r.hops, u.Text())
	}
	return r.Policy.URL(u, h)
}

func (r *recorder) Addr(d scheme.Dial, a netip.AddrPort) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.dials = append(r.dials, d)
	return r.Policy.Addr(d, a)
}

// Each server that another one names is dialled as a hop, with the URL that is accessed there, so
// that a server on the Internet cannot lead into a private network.
//
// Covers: A13, P5, T106
func TestHops(t *testing.T) {
	t.Parallel()
	other := start(t, prosperotest.Link([]string{"dir"}, "LINK  L FILE x INTERNET-D HOST ASCII AFTP/x 0"))
	host := "127.0.0.1(" + other.Named("").Port() + ")"
	addr, _ := other.Named("").Addr()
	redirect := ardp.Header{Length: 13, Option: ardp.OptionRedirect, Redirect: netip.MustParseAddrPort(addr)}
	for name, tt := range map[string]struct {
		option prosperotest.Option
		url    string // that is accessed at the first server
		want   string // the URL of the hop
	}{
		"forwarded": {prosperotest.Forward("AFTP/away", "INTERNET-D "+host+" ASCII AFTP/dir 0"), "AFTP/away", "AFTP/dir"},
		"redirected": {prosperotest.Packets(func(p [][]byte) [][]byte {
			h, _, _ := ardp.Parse(p[0])
			redirect := redirect
			redirect.ID = h.ID
			return [][]byte{redirect.Append(nil)}
		}), "AFTP/dir", "AFTP/dir"},
		"union": {prosperotest.Link([]string{"away"}, "LINK  U DIRECTORY + INTERNET-D "+host+" ASCII AFTP/dir 0"), "AFTP/away", "AFTP/dir"},
		"content elsewhere": {prosperotest.Object("AFTP/away", "ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE PROSPERO-CONTENTS INTERNET-D '"+host+"' ASCII AFTP/text.txt\n"),
			"AFTP/away", "AFTP/text.txt"},
	} {
		s := start(t, tt.option)
		r := &recorder{Policy: policy.New(policy.Options{})}
		c := newClient(t, func(o *client.Options) { o.Policy = r })
		res, err := c.Access(t.Context(), scheme.Request{URL: s.Named(tt.url)}, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if res.Entries != nil {
			for _, err := range res.Entries {
				if err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
		res.Close()
		want, away := other.Named(tt.want), false
		for _, d := range r.dials {
			if d.Addr != addr {
				continue
			}
			away = true
			if d.Purpose != scheme.ForHop || d.URL != want {
				t.Errorf("%s: dialled %s as %v for %q, want %s as a hop", name, d.Addr, d.Purpose, d.URL, want)
			}
		}
		if !away {
			t.Errorf("%s: the other server was not dialled", name)
		}
		if got := strings.Join(r.hops, " "); !strings.Contains(got, want.Text()) {
			t.Errorf("%s: the policy was asked about the hops %q, want %s", name, got, want)
		}
	}
}
