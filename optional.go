package locator

// Optional is a part that may be absent. Absent and empty differ in RFC 1738: "ftp://@host/" has an empty user,
// "ftp://host/" has none (RFC 1738 3.1). The zero value is absent. Optionals compare with ==.
type Optional struct {
	text string
	set  bool
}

// Some returns a part that is present, be it empty.
func Some(s string) Optional { return Optional{text: s, set: true} }

// Get returns the part and whether it is present.
func (o Optional) Get() (string, bool) { return o.text, o.set }

// Set reports whether the part is present.
func (o Optional) Set() bool { return o.set }

// Or returns the part, or s where it is absent.
func (o Optional) Or(s string) string {
	if o.set {
		return o.text
	}
	return s
}
