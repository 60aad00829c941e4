package screen

import (
	"bytes"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

func filtered(f *Filter, in string) string { return string(f.Append(nil, []byte(in))) }

// What a terminal may get, and what it must not get.
//
// Covers: A10, P6, T24, T25, T26
func TestFilter(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ in, want string }{
		"text":           {"a caf\u00e9\r\n\tb\b\a\u2500\u4e2d", "a caf\u00e9\r\n\tb\b\a\u2500\u4e2d"},
		"not UTF-8":      {"caf\xe9 \x9b5n\xff", "caf\ufffd \ufffd5n\ufffd"},
		"torn UTF-8":     {"\xe2\x82A\xe2\x82\xe2\x82\xac", "\ufffd\ufffdA\ufffd\ufffd\u20ac"},
		"colours":        {"\x1b[1;31mred\x1b[m \x1b[38;5;200mx \x1b[38:2::1:2:3m", "\x1b[1;31mred\x1b[m \x1b[38;5;200mx \x1b[38:2::1:2:3m"},
		"cursor":         {"\x1b[2J\x1b[H\x1b[10;20Hx\x1b[A\x1b7\x1b8\x1bM", "\x1b[2J\x1b[H\x1b[10;20Hx\x1b[A\x1b7\x1b8\x1bM"},
		"scrollback":     {"a\x1b[3Jb\x1b[2J\x1b[003J\x1b[0;3J\x1b[?3Jc\x1b[J\x1b[3K", "ab\x1b[2Jc\x1b[J\x1b[3K"},
		"line drawing":   {"\x1b(0lqk\x1b(B\x0e\x0f", "\x1b(0lqk\x1b(B\x0e\x0f"},
		"full screen":    {"\x1b[?1049h\x1b[?1h\x1b=\x1b[1;24r\x1b[?25l", "\x1b[?1049h\x1b[?1h\x1b=\x1b[1;24r\x1b[?25l"},
		"C1 as UTF-8":    {"\u009b31mred\u009b5n\u0085x", "\x1b[31mred\x1bEx"},
		"within":         {"\x1b[3\r\n1m", "\r\n\x1b[31m"},
		"clipboard":      {"a\x1b]52;c;ZXZpbA==\ab", "ab"},
		"title":          {"a\x1b]0;title\x1b\\b\x1b]2;t\ac\u009d2;t\u009cd", "abcd"},
		"hyperlink":      {"\x1b]8;;http://evil.example/\x1b\\click\x1b]8;;\x1b\\", "click"},
		"DECRQSS":        {"a\x1bP$q\"p\x1b\\b", "ab"},
		"DECUDK":         {"a\x1bP1;1|17/6c730a\x1b\\b", "ab"},
		"sixel":          {"a\u0090q#0\u009cb", "ab"},
		"APC PM SOS":     {"a\x1b_x\x1b\\b\x1b^x\x1b\\c\x1bXx\x1b\\d\u009fx\u009ce\u009ex\u009cf\u0098x\u009cg", "abcdefg"},
		"BEL in APC":     {"a\x1b_x\ay\x1b\\b", "ab"},
		"answerback":     {"a\x05b", "ab"},
		"reports":        {"a\x1b[c\x1b[>c\x1b[=c\x1b[5n\x1b[6n\x1b[?6n\x1b[?25$p\x1b[4$p\x1b[x\x1b[>q\x1b[?u\x1bZb", "ab"},
		"window":         {"a\x1b[21t\x1b[8;1;1t\x1b[2tb", "ab"},
		"keys":           {"a\x1b[0;59;\"rm\";13pb\x1b[>4;2mc\x1b[>1ud", "am\";13pbcd"}, // the rest is text
		"printer":        {"a\x1b[5ix\x1b[4i\x1b[?5ib", "axb"},
		"mouse":          {"a\x1b[?1000h\x1b[?1003;1006h\x1b[?1004h\x1b[?2004h\x1b[1;2;3;4;5Tb", "ab"},
		"keyboard":       {"a\x1b[2h\x1b[12l\x1b[20h\x1b[?3h\x1b[?8lb", "ab"},
		"one bad mode":   {"a\x1b[?25;1000hb", "ab"},
		"resets":         {"a\x1bc\x1b[!p\x1b[61\"pb", "ab"},
		"character sets": {"a\x1b%G\x1b%@\x1b F\x1b(Z\x1bn\x1bob", "ab"},
		"huge number":    {"a\x1b[99999999999Cb\x1b[99999bc", "abc"},
		"huge sequence":  {"a\x1b[" + strings.Repeat("1;", 40) + "mb", "a" + strings.Repeat("1;", 9)[1:] + "mb"},
		"cancelled":      {"a\x1b[3\x181mb\x1b]0;x\x18y\x1b[1\x1b[2Kc", "a1mby\x1b[2Kc"},
		"not closed":     {"a\x1b]0;" + strings.Repeat("x", maxString+10), "a" + strings.Repeat("x", 11)},
		"string in one":  {"a\x1b]0;x\x1b]52;c;y\ab\x1b]0;x\x1b[31mc", "ab\x1b[31mc"},
		"tab stops":      {"a\x1b[3gb\x1bH\x1b[gc\u0088d", "abcd"}, // nothing restores them on every terminal
		"other controls": {"a\x00\x01\x11\x13\x7f\x1cb", "ab"},
		"bidi":           {"a\u202eb\u2066c\u2028d\u200de\u00adf", "abcd\u200de\u00adf"},
	} {
		if got := filtered(&Filter{}, tt.in); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
	if got := filtered(&Filter{ASCII: true}, "caf\u00e9 \u06db5n \u009b31m \xff"); got != "caf? ?5n \x1b[31m ?" {
		t.Errorf("for a terminal without UTF-8: %q", got)
	}
}

// What a session leaves behind is undone.
//
// Covers: A10, T27
func TestReset(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"text": "", "\x1b[2J\x1b[H": "", "\x1b[3g\x1bH": "", "\x1b[31m": "\x1b[m", "\x1b[?25l\x1b[?25h": "", "\x1b[?25l": "\x1b[?25h", "\x1b[?7l\x1b[?1049h\x1b[?7l": "\x1b[?1049l\x1b[?7h",
		"\x1b[4h": "\x1b[4l", "\x1b[1;5r": "\x1b7\x1b[r\x1b8", "\x1b=": "\x1b>", "\x1b=\x1b>": "", "\x1b(0": "\x1b(B\x1b)B\x0f", "\x0e": "\x0f", "\x1b[3 q": "\x1b[0 q",
	} {
		f := &Filter{}
		filtered(f, in)
		if got := string(f.Reset()); got != want {
			t.Errorf("after %q: %q, want %q", in, got, want)
		}
		if again := f.Reset(); len(again) > 0 {
			t.Errorf("after %q and a reset: %q", in, again)
		}
	}
}

// allowedOutput matches output without a forbidden sequence. It is written from ECMA-48 and the
// list of what is forbidden, not from the tables of the filter.
var allowedOutput = regexp.MustCompile(`^(?:[ -~\a\x08\t\n\v\f\r\x0e\x0f]` + // text
	`|\x1b[78DEM=>]|\x1b[()*+][0AB]|\x1b#[34568]` + // ESC sequences that are neither answered nor change the coding
	`|\x1b\[[0-9;:]*[@-Z\x60abdefmrsu]|\x1b\[[0-9] q|\x1b\[[0-9;:]* q|\x1b\[\?[0-9;:]*[JK]` + // no c, n, p, q, t, x, i
	`|\x1b\[\?(?:1|5|6|7|12|25|47|1047|1048|1049)(?:[;:]+(?:1|5|6|7|12|25|47|1047|1048|1049))*[hl]|\x1b\[[4;:]+[hl]` + // modes
	`|[\x{a0}-\x{10ffff}])*$`)

// checkOutput checks that the output of a filter has no forbidden sequence, and that it does not
// depend on how the input is split.
func checkOutput(t *testing.T, in []byte, r *rand.Rand) {
	t.Helper()
	for _, ascii := range []bool{false, true} {
		whole := (&Filter{ASCII: ascii}).Append(nil, in)
		if !utf8.Valid(whole) || !allowedOutput.Match(whole) || ascii && bytes.ContainsFunc(whole, func(r rune) bool { return r > 0x7E }) {
			t.Fatalf("%q becomes %q", in, whole)
		}
		f := &Filter{ASCII: ascii}
		var split []byte
		for rest := in; len(rest) > 0; {
			n := 1 + r.IntN(min(len(rest), 5))
			split, rest = f.Append(split, rest[:n]), rest[n:]
		}
		if !bytes.Equal(whole, split) {
			t.Fatalf("%q becomes %q, and split %q", in, whole, split)
		}
		if len(f.seq) > maxSequence || len(f.partial) >= utf8.UTFMax {
			t.Fatalf("%q: the filter keeps %d and %d bytes", in, len(f.seq), len(f.partial))
		}
		if reset := f.Reset(); !allowedOutput.Match(reset) {
			t.Fatalf("%q is reset by %q", in, reset)
		}
	}
}

// Covers: A10, P6, T24
func TestFilterOutput(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(48, 52))
	pieces := []string{"\x1b", "[", "]", "P", "_", "?", ";", "1", "49", "52", "c", "n", "t", "m", "h", "l", "\\", "\a", "\x18", "\u009b", "\u009d", "\u009c", "\x9b", "\xe2", "\x82",
		"\u202e", "A", " q", "$p", "!", "\x05", "\r\n", "\x1b[?25", "\x1b]0;", "\xf0\x9f", "(", "0"}
	for range 8_000 {
		var b strings.Builder
		for range 1 + r.IntN(12) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		checkOutput(t, []byte(b.String()), r)
	}
}

// Covers: T24
func FuzzFilter(f *testing.F) {
	f.Add([]byte("a\x1b]52;c;x\a\x1b[31m\x1bP$q\x1b\\\u009b5n"), uint64(1))
	f.Add([]byte("\xe2\x82\x1b[?1049;1000h\x1b(0"), uint64(2))
	f.Fuzz(func(t *testing.T, in []byte, seed uint64) { checkOutput(t, in, rand.New(rand.NewPCG(seed, 0))) })
}
