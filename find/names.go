package find

import (
	"math/bits"
	"strings"

	"locator"
	"locator/internal/keytable"
)

// kind says what a URL of a scheme must have to be found outside a wrapper.
type kind uint8

const (
	unknown   kind = iota
	urlPrefix      // the prefix "URL:"
	slashed        // "//" and a host
	rooted         // a path that begins with "/"
	addressed      // an "@" inside, or "?" and fields
	grouped        // an "@" or a "." inside
)

// names finds the kind of a scheme of the table, in either case.
type names struct {
	ends  [256]bool // the last bytes of the names
	kinds *keytable.Table[kind]
}

// table has the schemes of package locator and "url".
var table = newNames(kinds())

func kinds() map[string]kind {
	ofShape := [...]kind{locator.ShapeServer: slashed, locator.ShapePath: rooted, locator.ShapeAddress: addressed, locator.ShapeGroup: grouped}
	kinds := map[string]kind{"url": urlPrefix}
	for _, s := range locator.Schemes() {
		kinds[s.Name] = ofShape[s.Shape]
	}
	return kinds
}

func newNames(kinds map[string]kind) *names {
	n := &names{}
	keys := make(map[uint64]kind)
	for name, kind := range kinds {
		c := name[len(name)-1]
		n.ends[c], n.ends[strings.ToUpper(string(c))[0]] = true, true
		keys[nameKey(name)] = kind
	}
	n.kinds = keytable.New(keys)
	return n
}

// maxKey is the length of the longest name in the table.
const maxKey = keytable.MaxName

// nameKey returns a name of up to maxKey bytes, in lower case, as a number.
func nameKey[T source](name T) (key uint64) {
	for i := range len(name) {
		key = key<<8 | uint64(name[i]|0x20) // digits and "+-." have this bit, too
	}
	return key
}

// keyAtEnd returns the length and the key of the name that a text of maxKey bytes ends with. Most
// URLs come here, so it has no branch that depends on the text.
func keyAtEnd[T source](text T) (n int, key uint64) {
	var ends uint64 // a bit in each byte that is not of a name; the last byte of the text is the lowest
	for i := range maxKey {
		ends = ends<<8 | uint64(^classes[text[i]]&nameClass)
		key = key<<8 | uint64(text[i]|0x20)
	}
	n = bits.TrailingZeros64(ends) / 8
	return n, key & (1<<(8*n) - 1)
}

// lookup returns the kind of a scheme in the table.
func lookup[T source](name T) kind {
	if len(name) == 0 || len(name) > maxKey {
		return unknown
	}
	return table.kind(nameKey(name))
}

// kind returns the kind of the scheme with a key.
func (n *names) kind(key uint64) kind { return n.kinds.Find(key) }
