package held

import (
	"reflect"
	"testing"

	"locator/scheme"
)

// TestSizes checks that the constants are near the sizes of the types.
func TestSizes(t *testing.T) {
	t.Parallel()
	if got := int(reflect.TypeFor[scheme.Entry]().Size()); got > entry || got < entry/2 {
		t.Errorf("an entry has %d bytes, the constant is %d", got, entry)
	}
	if got := int(reflect.TypeFor[scheme.Attribute]().Size()); got != attribute {
		t.Errorf("an attribute has %d bytes, the constant is %d", got, attribute)
	}
}
