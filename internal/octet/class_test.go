package octet

import (
	"strings"
	"testing"
)

func TestClasses(t *testing.T) {
	t.Parallel()
	const digits, letters = "0123456789", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	for n := range 256 {
		c := byte(n)
		digit, letter := strings.IndexByte(digits, c) >= 0, strings.IndexByte(letters, c) >= 0
		if IsDigit(c) != digit || IsLetter(c) != letter || IsAlphanumeric(c) != (digit || letter) {
			t.Errorf("%q: digit %v, letter %v, alphanumeric %v", c, IsDigit(c), IsLetter(c), IsAlphanumeric(c))
		}
		if first, later := IsScheme(string([]byte{c})), IsScheme(string([]byte{'x', c})); first != letter || later != (digit || letter || strings.IndexByte("+-.", c) >= 0) {
			t.Errorf("%q: begins a scheme %v, goes on with one %v", c, first, later)
		}
	}
	if IsScheme("") {
		t.Error("the empty text is a scheme")
	}
}
