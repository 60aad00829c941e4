package argv

import (
	"strings"
	"testing"
)

func TestMask(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"get -o out http://h/x":            "get -o out http://h/x",
		"get ftp://u:pw@h/x":               "get ftp://u:**@h/x",
		"get u:secret@h/x":                 "get u:******@h/x",
		"--user joe get x":                 "--user joe get x",
		"--user joe:a:b get x":             "--user joe:*** get x",
		"--header=A:b --user=c:d":          "--header=A:* --user=c:*",
		"--field Name=secret":              "--field Name=******",
		"get http://a:1@h/http://b:22@k/x": "get http://a:***************@k/x",
	} {
		if got := strings.Join(Mask(strings.Fields(args), map[string]string{"--user": ":", "--header": ":", "--field": "="}), " "); got != want {
			t.Errorf("%q is shown as %q, want %q", args, got, want)
		}
	}
}
