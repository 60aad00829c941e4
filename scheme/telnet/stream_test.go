package telnet

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"locator/scheme/telnet/internal/option"
)

// events records the commands in a stream.
type events struct {
	list []string
	bin  bool
}

func (e *events) command(c option.Command) { e.list = append(e.list, c.String()) }

// negotiate switches BINARY at once, as the dialogue does.
func (e *events) negotiate(c option.Command, o option.Option) error {
	e.list = append(e.list, c.String()+" "+o.String())
	if o == option.Binary && (c == option.WILL || c == option.WONT) {
		e.bin = c == option.WILL
	}
	return nil
}

func (e *events) subnegotiate(o option.Option, data []byte) error {
	e.list = append(e.list, fmt.Sprintf("SB %v %q", o, data))
	return nil
}

func (e *events) binary() bool { return e.bin }

// The stream of RFC 854 and 855, however it is split.
//
// Covers: A10, P2, P6, T32
func TestDecoder(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in, data string
		events   []string
		fails    bool
	}{
		{"text", "text", nil, false},
		{"a\xff\xffb", "a\xffb", nil, false},
		{"a\r\nb\r\x00c\rd\r\r\x00\x00", "a\r\nb\rc\rd\r\r\x00", nil, false},
		{"a\r\xff\xf1\x00b", "a\rb", []string{"NOP"}, false},
		{"a\r\xff\xff\x00b", "a\r\xff\x00b", nil, false},
		{"\xff\xfb\x00a\r\x00\xff\xfc\x00a\r\x00b", "a\r\x00a\rb", []string{"WILL BINARY", "WONT BINARY"}, false},
		{"\xff\xf2\xff\xf9\xff\xf3a\xff\x05b", "ab", []string{"DM", "GA", "BRK", "5"}, false},
		{"\xff\xfd\xff\xff\xfe\x01", "", []string{"DO 255", "DONT ECHO"}, false},
		{"a\xff\xfa\x18\x01\xff\xf0b", "ab", []string{`SB TERMINAL-TYPE "\x01"`}, false},
		{"\xff\xfa\x1f\x00\xff\xff\x00\x18\xff\xf0", "", []string{`SB NAWS "\x00\xff\x00\x18"`}, false},
		{"\xff\xfa\xff\xf0a", "a", nil, false},
		{"\xff\xfa\x18\x01\xff\xfd\x01a", "a", []string{`SB TERMINAL-TYPE "\x01"`, "DO ECHO"}, false}, // not ended by SE
		{"\xff\xfa\x18\x01\xff\xfa\x1f\xff\xf0", "", []string{`SB TERMINAL-TYPE "\x01"`, `SB NAWS ""`}, false},
		{"\xff\xf0a\xff", "a", []string{"SE"}, false},
		{"a\xff\xfa\x18" + strings.Repeat("x", maxSubnegotiation) + "\xff\xf0b", "ab", []string{fmt.Sprintf("SB TERMINAL-TYPE %q", strings.Repeat("x", maxSubnegotiation))}, false},
		{"a\xff\xfa\x18" + strings.Repeat("x", maxSubnegotiation+1), "a", nil, true},
		{"a\xff\xfa" + strings.Repeat("\xff\xff", maxSubnegotiation+2), "a", nil, true},
	} {
		for _, size := range []int{1, 2, 3, len(tt.in)} {
			var d decoder
			var e events
			var data []byte
			var err error
			for part := range slices.Chunk([]byte(tt.in), size) {
				if data, err = d.decode(data, part, &e); err != nil {
					break
				}
			}
			if string(data) != tt.data || !slices.Equal(e.list, tt.events) || (err != nil) != tt.fails {
				t.Errorf("%.80q by %d: %.80q, %.80q, %v", tt.in, size, data, e.list, err)
			}
		}
	}
}

// decodeAll decodes a stream that is split at random.
func decodeAll(in []byte, r *rand.Rand) (data []byte, e events, d decoder, failed bool) {
	for len(in) > 0 {
		n := len(in)
		if r != nil {
			n = 1 + r.IntN(min(len(in), 7))
		}
		var err error
		if data, err = d.decode(data, in[:n], &e); err != nil {
			return data, e, d, true
		}
		in = in[n:]
	}
	return data, e, d, false
}

// FuzzStream checks that the data and commands in a stream do not depend on how it is split, that
// memory is bounded, and that data that is encoded and decoded is the same.
//
// Covers: T35
func FuzzStream(f *testing.F) {
	f.Add([]byte("a\r\x00\xff\xfb\x00\xff\xfa\x18\x01\xff\xf0\r\n\xff\xff"), uint64(1))
	f.Add([]byte("\xff\xfa\x18\xff\xff\xff\xfd\x01\xff"), uint64(2))
	f.Fuzz(func(t *testing.T, in []byte, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 0))
		data, e, d, failed := decodeAll(in, nil)
		data2, e2, d2, failed2 := decodeAll(in, r)
		if !bytes.Equal(data, data2) || !slices.Equal(e.list, e2.list) || failed != failed2 {
			t.Fatalf("%q: %q %q %v, and split %q %q %v", in, data, e.list, failed, data2, e2.list, failed2)
		}
		if len(data) > len(in) || max(len(d.sub), len(d2.sub)) > maxSubnegotiation+1 {
			t.Fatalf("%q: %d bytes of data, %d of a subnegotiation", in, len(data), len(d.sub))
		}
		for _, binary := range []bool{false, true} {
			e := events{bin: binary}
			want := in
			if !binary { // a CR or LF alone is sent as an end of a line or a Return
				want = encodeText(in)
			}
			var d decoder
			got, err := d.decode(nil, encode(nil, in, binary), &e)
			if err != nil || !bytes.Equal(got, want) || len(e.list) > 0 {
				t.Fatalf("%q, binary %v: it arrives as %q (%q, %v)", in, binary, got, e.list, err)
			}
		}
	})
}

// encodeText returns text with each LF alone as CR LF.
func encodeText(text []byte) []byte {
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	return bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
}
