//go:build unix

package settings

import "testing"

// A relative value of a variable of the XDG Base Directory Specification is ignored.
//
// Covers: P6, T160
func TestRelativeFolders(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ variable, home, want string }{
		{"/x", "/home/u", "/x/locator"},
		{"", "/home/u", "/home/u/.config/locator"},
		{"rel", "/home/u", "/home/u/.config/locator"},
		{"./x", "/home/u", "/home/u/.config/locator"},
		{"rel", "", ""},
	} {
		env := map[string]string{"XDG_CONFIG_HOME": tt.variable, "HOME": tt.home}
		if got := configFolder(func(name string) string { return env[name] }, "locator"); got != tt.want {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}
