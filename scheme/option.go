package scheme

// Option names an option of an operation that few protocols can carry out. The others ignore it.
type Option string

// The options of an [OptionUser].
const (
	OptionDecode  Option = "decode"  // AccessOptions.Decode
	OptionLike    Option = "like"    // ListOptions.Like
	OptionVerify  Option = "verify"  // AttributesOptions.Verify
	OptionReports Option = "reports" // WriteOptions.Reports
	OptionType    Option = "type"    // Body.Type
	OptionTLS     Option = "tls"     // Env.TLSMode: a connection in clear text can switch to TLS
	OptionReply   Option = "reply"   // an update or a replacement returns the server's reply as a Body or Entries
)

// An OptionUser says which options it carries out, so that a program can refuse those that its user asks for in vain.
type OptionUser interface {
	Options() []Option
}
