package locator

// SyntaxError says why a text is no URL, or why a view cannot be built.
type SyntaxError struct {
	Offset  int    // first byte that cannot continue any URL of the scheme; the length if the text only stops too early
	Scheme  string // lower case; "" if unknown
	Rule    string // the BNF rule being read, for example "fsegment"
	Section string // of RFC 1738
	Msg     string
	Hint    string // what to write instead, for example "%7E"
}

func (e *SyntaxError) Error() string { return e.Msg }
