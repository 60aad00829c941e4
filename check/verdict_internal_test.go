package check

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"syscall"
	"testing"

	"locator/scheme"
)

// Only a name that does not exist, a host that refuses and a server that says so make a URL broken.
func TestJudge(t *testing.T) {
	t.Parallel()
	addr := &scheme.Resource{Addr: netip.MustParseAddrPort("192.0.2.1:21")}
	for _, tt := range []struct {
		code    scheme.Code
		err     error
		partial *scheme.Resource
		verdict Verdict
		why     Why
	}{
		{scheme.CodeUnreachable, &net.DNSError{IsNotFound: true}, nil, Broken, WhyName},
		{scheme.CodeUnreachable, &net.DNSError{IsNotFound: true, IsTemporary: true}, nil, Unsure, WhyName},
		{scheme.CodeUnreachable, &net.DNSError{IsNotFound: true, IsTimeout: true}, nil, Unsure, WhyName},
		{scheme.CodeUnreachable, &net.DNSError{IsTimeout: true}, nil, Unsure, WhyName},
		{scheme.CodeUnreachable, syscall.ECONNREFUSED, nil, Broken, WhyUnreachable},
		{scheme.CodeUnreachable, syscall.EHOSTUNREACH, nil, Unsure, WhyUnreachable},
		{scheme.CodeUnreachable, context.DeadlineExceeded, nil, Unsure, WhyTime},
		{scheme.CodeUnsupported, errors.New("502"), addr, Unsure, WhyServer},
		{scheme.CodeUnsupported, errors.New("no such scheme"), nil, Skipped, WhyUnsupported},
		{scheme.CodeLocal, fs.ErrPermission, nil, Blocked, WhyLogin},
		{scheme.CodeBroken, context.DeadlineExceeded, nil, Unsure, WhyTime},
		{scheme.CodeInDoubt, context.DeadlineExceeded, nil, Unsure, WhyTime},
	} {
		err := &scheme.Error{Code: tt.code, Partial: tt.partial, Err: fmt.Errorf("a cause: %w", tt.err)}
		if verdict, why := judge(err); verdict != tt.verdict || why != tt.why {
			t.Errorf("%v: %s %s, want %s %s", err, verdict, why, tt.verdict, tt.why)
		}
	}
}

func TestStatusOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ reply, status, want string }{
		{"550 no such file", "", "550"}, {"550-first line", "", "550"}, {"550", "", "550"}, {"12345 x", "", ""}, {"no such item", "", ""}, {"550 x", "404", "404"}, {"", "", ""},
	} {
		if got := statusOf(&scheme.Error{Reply: tt.reply, Partial: &scheme.Resource{Status: tt.status}}); got != tt.want {
			t.Errorf("%q, %q: %q, want %q", tt.reply, tt.status, got, tt.want)
		}
	}
}
