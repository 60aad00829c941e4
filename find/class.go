package find

// class is a set of the classes of bytes below.
type class uint16

const (
	alphaClass   class = 1 << iota // a letter of ASCII
	alnumClass                     // a letter or digit of ASCII
	nameClass                      // may be in the name of a scheme
	spaceClass                     // white space, which a wrapper may contain
	breakClass                     // white space that ends a line
	urlClass                       // may be in a URL or in a character beyond ASCII
	cutClass                       // ends some bare URLs though URLs may contain it
	stopClass                      // may not be in a wrapper, or ends a part of its URL
	localClass                     // may be in the part of a mail address before the "@"
	endHostClass                   // ends a host in text, though RFC 3986 allows it there
)

var classes = newClasses()

func newClasses() (t [256]class) {
	add := func(c class, chars string) {
		for i := range len(chars) {
			t[chars[i]] |= c
		}
	}
	const (
		digit = "0123456789"
		alpha = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	)
	add(alphaClass, alpha)
	add(alnumClass|nameClass|urlClass|localClass, alpha+digit)
	add(nameClass, "+-.")
	add(spaceClass, " \t\n\v\f\r")
	add(breakClass, "\n\v\f\r")
	add(urlClass, "-._~:/?#[]@!$&'()*+,;=%{}")
	add(cutClass, "()[]{}'&,;#$")
	add(endHostClass, "!$&'()*+,;=~")
	add(stopClass, "<>\"\x7F")
	for c := range byte(' ' + 1) {
		t[c] |= stopClass
	}
	add(localClass, "-._+~!$*")
	for c := 0x80; c <= 0xFF; c++ {
		t[c] |= urlClass | cutClass
	}
	return t
}

// is reports whether a byte is of a class.
func is(b byte, c class) bool { return classes[b]&c != 0 }
