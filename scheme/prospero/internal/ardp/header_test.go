package ardp_test

import (
	"bytes"
	"testing"

	"locator/scheme/prospero/internal/ardp"
)

// A header that is parsed is encoded to one with the same values.
func FuzzHeader(f *testing.F) {
	for _, b := range [][]byte{
		{3, 0x72, 0xCC, 'a'}, {9, 0x72, 0xCC, 0, 1, 0, 1, 0, 0}, {13, 0x30, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, {19, 0x30, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1, 0x54, 0x15},
		{20, 0x30, 1, 0, 0, 0, 0, 0, 0, 1, 0x2C, 0, 254, 3, 0, 3, 0, 0, 0, 0x4D}, {17, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 10, 0, 0, 5, 0, 2}, {1}, {0}, {31}, []byte("VERSION"),
	} {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		h, data, err := ardp.Parse(b)
		_ = ardp.Describe(b)
		if err != nil {
			return
		}
		if !bytes.HasSuffix(b, data) || h.Length+len(data) != len(b) {
			t.Fatalf("%x: header %d, data %x", b, h.Length, data)
		}
		again, rest, err := ardp.Parse(append(h.Append(nil), data...))
		if err != nil || !bytes.Equal(rest, data) {
			t.Fatalf("%x: %+v is encoded as %x: %v", b, h, h.Append(nil), err)
		}
		h.Length, again.Length = 0, 0
		if !equal(h, again) {
			t.Errorf("%x: %+v, then %+v", b, h, again)
		}
	})
}

func equal(a, b ardp.Header) bool {
	same := bytes.Equal(a.Address, b.Address)
	a.Address, b.Address = nil, nil
	return same && a.ID == b.ID && a.Number == b.Number && a.Total == b.Total && a.ReceivedThrough == b.ReceivedThrough && a.Wait == b.Wait && a.Flags == b.Flags &&
		a.Option == b.Option && a.Priority == b.Priority && a.Protocol == b.Protocol && a.Window == b.Window && a.Redirect == b.Redirect && a.Position == b.Position &&
		a.Delay == b.Delay && a.HasPosition == b.HasPosition && a.HasDelay == b.HasDelay
}
