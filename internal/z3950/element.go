package z3950

import (
	"errors"
	"fmt"
	"math"
)

// ErrMalformed is matched by every error for a message that breaks the encoding.
var ErrMalformed = errors.New("malformed WAIS message")

// ErrTooLong is matched by the error for a packet or record that exceeds a limit of the caller.
var ErrTooLong = errors.New("WAIS message too long")

// A Tag identifies an element.
type Tag uint32

// The tags of Z39.50-1988 and WAIS.
const (
	TagReference       Tag = 2
	TagProtocolVersion Tag = 3
	TagOptions         Tag = 4
	TagPreferredSize   Tag = 5
	TagRecordSize      Tag = 6
	TagAuthentication  Tag = 7
	TagImplementation  Tag = 8
	TagName            Tag = 9
	TagVersion         Tag = 10
	TagResultSet       Tag = 17
	TagDatabase        Tag = 18
	TagElementSets     Tag = 19
	TagQueryType       Tag = 20
	TagQuery           Tag = 21
	TagResultStatus    Tag = 26
	TagPresentStatus   Tag = 27
	TagDiagnostic      Tag = 28
	TagAttributes      Tag = 44
	TagTerm            Tag = 45
	TagOperator        Tag = 46
	TagUserInformation Tag = 99
	TagChunkCode       Tag = 100
	TagSeedWords       Tag = 106
	TagChunkID         Tag = 107 // a document, of which a part is meant
	TagChunkStart      Tag = 108
	TagChunkEnd        Tag = 109
	TagDateFactor      Tag = 111
	TagBeginDate       Tag = 112
	TagEndDate         Tag = 113
	TagMaxDocuments    Tag = 114
	TagSeedWordsUsed   Tag = 115
	TagDocumentID      Tag = 116
	TagDocumentVersion Tag = 117
	TagScore           Tag = 118
	TagBestMatch       Tag = 119
	TagDocumentLength  Tag = 120
	TagSource          Tag = 121
	TagDate            Tag = 122
	TagHeadline        Tag = 123
	TagOriginCity      Tag = 124
	TagText            Tag = 127
	TagLines           Tag = 131
	TagTypes           Tag = 132
	TagType            Tag = 133
	TagHeader          Tag = 150
	TagShortHeader     Tag = 151
	TagLongHeader      Tag = 152
	TagDocumentText    Tag = 153
)

// maxCompressed is the largest compressed integer: that of four bytes.
const maxCompressed = 1<<28 - 1

// appendCompressed appends n in base 128, most significant group first. Bit 7 is set in all bytes
// but the last.
func appendCompressed(b []byte, n int) []byte {
	for shift := 21; shift > 0; shift -= 7 {
		if n >= 1<<shift {
			b = append(b, byte(n>>shift)|0x80)
		}
	}
	return append(b, byte(n&0x7f))
}

// appendElement appends an element. A value has at most maxCompressed bytes.
func appendElement[T ~string | ~[]byte](b []byte, tag Tag, value T) []byte {
	b = appendCompressed(b, int(tag))
	return append(appendCompressed(b, len(value)), value...)
}

// appendString is appendElement for an element that is left out if it is empty.
func appendString(b []byte, tag Tag, value string) []byte {
	if value == "" {
		return b
	}
	return appendElement(b, tag, value)
}

// appendNumber appends an element with a number in as few bytes as possible.
func appendNumber(b []byte, tag Tag, n uint64) []byte {
	value := []byte{byte(n)}
	for n >>= 8; n > 0; n >>= 8 {
		value = append([]byte{byte(n)}, value...)
	}
	return appendElement(b, tag, value)
}

// A Number is the value of an element that may be missing. The zero Number is missing.
type Number struct {
	N   uint64
	Set bool
}

// Some returns the Number n.
func Some(n uint64) Number { return Number{n, true} }

// Count returns the number as an int64. ok is false if it is missing or larger than any count.
func (n Number) Count() (count int64, ok bool) {
	return int64(n.N), n.Set && n.N <= math.MaxInt64
}

// String returns the number in decimal, or "-".
func (n Number) String() string {
	if !n.Set {
		return "-"
	}
	return fmt.Sprint(n.N)
}

func (n Number) append(b []byte, tag Tag) []byte {
	if !n.Set {
		return b
	}
	return appendNumber(b, tag, n.N)
}

// decoder reads from a message, or from the value of an element.
type decoder struct {
	b    []byte
	what string // for errors
}

func (d *decoder) fail(format string, args ...any) error {
	return fmt.Errorf("%w: %s: %s", ErrMalformed, d.what, fmt.Sprintf(format, args...))
}

// take returns the next n bytes.
func (d *decoder) take(n int) ([]byte, error) {
	if n > len(d.b) {
		return nil, d.fail("%d bytes are announced, and %d follow", n, len(d.b))
	}
	v := d.b[:n:n]
	d.b = d.b[n:]
	return v, nil
}

// fixed returns a big-endian number of n bytes.
func (d *decoder) fixed(n int) (uint64, error) {
	v, err := d.take(n)
	return bigEndian(v), err
}

func bigEndian(v []byte) (n uint64) {
	for _, c := range v {
		n = n<<8 | uint64(c)
	}
	return n
}

// maxCompressedBytes bounds the bytes of a compressed integer: leading 0x80 are legal.
const maxCompressedBytes = 5

// compressed reads a compressed integer.
func (d *decoder) compressed() (int, error) {
	n := 0
	for i, c := range d.b {
		if n = n<<7 | int(c&0x7f); n > maxCompressed || i == maxCompressedBytes {
			return 0, d.fail("a tag or length is too large")
		}
		if c < 0x80 {
			d.b = d.b[i+1:]
			return n, nil
		}
	}
	return 0, d.fail("a tag or length is cut off")
}

// element reads an element.
func (d *decoder) element() (Tag, []byte, error) {
	tag, err := d.compressed()
	if err != nil {
		return 0, nil, err
	}
	n, err := d.compressed()
	if err != nil {
		return 0, nil, err
	}
	v, err := d.take(n)
	return Tag(tag), v, err
}

// each calls f for each element up to the end.
func (d *decoder) each(f func(tag Tag, value []byte) error) error {
	for len(d.b) > 0 {
		tag, value, err := d.element()
		if err != nil {
			return err
		}
		if err := f(tag, value); err != nil {
			return err
		}
	}
	return nil
}

// number returns the value of an element with a number, of 1 to 8 bytes.
func (d *decoder) number(tag Tag, value []byte) (Number, error) {
	if len(value) == 0 || len(value) > 8 {
		return Number{}, d.fail("the number of element %d has %d bytes", tag, len(value))
	}
	return Some(bigEndian(value)), nil
}

// An Element is an element without meaning for this package.
type Element struct {
	Tag   Tag
	Value []byte
}
