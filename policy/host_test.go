package policy

import (
	"strings"
	"testing"
)

// Hosts that the URL parser rejects, but that other parsers accept as addresses: the policy does
// not depend on the parser.
//
// Covers: S4, T169
func TestCheckHost(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]string{
		"":                                     "",
		"h.":                                   "",
		"1.2.3.4":                              "",
		"1.2.3.4.":                             "",
		"0x7f.example":                         "",
		"1.2.3.x1":                             "",
		"2130706433":                           "ends in a number",
		"127.1":                                "ends in a number",
		"1.2.3.4.5":                            "ends in a number",
		"0x7f000001":                           "ends in a number",
		"0X7F.1":                               "ends in a number",
		"a.b.c.0x1":                            "ends in a number",
		"1.2.3.0x4":                            "ends in a number",
		"1..3.4":                               "is not an address",
		"1.2.3.-4":                             "",
		"h\x1b[2J.1":                           `h\x1b[2J.1`,
		"1.\x1b[2J.3.4":                        `\x1b[2J`,
		"[::1]":                                "",
		"[::ffff:1.2.3.4]":                     "",
		"[fe80::1%25eth0]":                     "zone",
		"[fe80::1%eth0]":                       "zone",
		"[1.2.3.4]":                            "not an IPv6 address",
		"[v1.x]":                               "not an IPv6 address",
		"[]":                                   "not an IPv6 address",
		"[" + strings.Repeat("\x00", 99) + "]": `\x00...`,
	} {
		err := checkHost(host)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", host, err, want)
		}
		if err != nil && strings.ContainsAny(err.Error(), "\x00\x1b") {
			t.Errorf("%q: %q is not escaped", host, err)
		}
	}
}
