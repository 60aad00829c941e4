package buildinfo

import (
	"reflect"
	"testing"
)

func TestParseLicenses(t *testing.T) {
	t.Parallel()
	file := "The licences.\n\n" + RuleOfLicenses + "program\n" + RuleOfLicenses + "\nBSD\n====\n" +
		"\n" + RuleOfLicenses + "example.org/a v1.2.3 h1:aaa=\nx.js 6.0.0\nthe Go standard library\n" + RuleOfLicenses + "\nMIT\n"
	want := []License{
		{"program", "", "", "BSD\n====\n"}, {"example.org/a", "v1.2.3", "h1:aaa=", "MIT\n"}, {"x.js", "6.0.0", "", "MIT\n"},
		{"the Go standard library", "", "", "MIT\n"},
	}
	if got := ParseLicenses(file); !reflect.DeepEqual(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	if got := ParseLicenses("no section"); got != nil {
		t.Errorf("%q", got)
	}
}
