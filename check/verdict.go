package check

import (
	"errors"
	"io/fs"
	"net"
	"strings"
	"syscall"

	"locator/client"
	"locator/scheme"
)

// judge returns the verdict of an attempt that failed.
func judge(err error) (Verdict, Why) {
	code := client.CodeOf(err)
	e, _ := errors.AsType[*scheme.Error](err)
	switch code {
	case scheme.CodeUnreachable:
		return unreachable(err)
	case scheme.CodeUnsupported, scheme.CodeUsage:
		if e != nil && e.Partial != nil && e.Partial.Addr.IsValid() { // it is the server that cannot do it
			return Unsure, WhyServer
		}
	case scheme.CodeLocal:
		if errors.Is(err, fs.ErrPermission) {
			return Blocked, WhyLogin
		}
	case scheme.CodeBroken, scheme.CodeInDoubt:
		if isTimeout(err) {
			return Unsure, WhyTime
		}
	}
	verdict, why := code.Verdict()
	return Verdict(verdict), Why(why)
}

// unreachable returns the verdict for a host to which there is no connection. Only a name that does
// not exist, and a host that refuses, is a reason to call a URL broken.
func unreachable(err error) (Verdict, Why) {
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		if dns.IsNotFound && !dns.IsTimeout && !dns.IsTemporary {
			return Broken, WhyName
		}
		return Unsure, WhyName
	}
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return Broken, WhyUnreachable
	case isTimeout(err):
		return Unsure, WhyTime
	}
	return Unsure, WhyUnreachable
}

func isTimeout(err error) bool {
	t, ok := errors.AsType[interface {
		error
		Timeout() bool
	}](err)
	return ok && t.Timeout()
}

// statusOf returns the reply code in an error.
func statusOf(err error) string {
	e, ok := errors.AsType[*scheme.Error](err)
	if !ok {
		return ""
	}
	if e.Partial != nil && e.Partial.Status != "" {
		return e.Partial.Status
	}
	first, _, _ := strings.Cut(e.Reply, " ")
	first, _, _ = strings.Cut(first, "-")
	if len(first) <= 4 && strings.Trim(first, "0123456789") == "" {
		return first
	}
	return ""
}
