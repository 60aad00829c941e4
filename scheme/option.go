package scheme

// An OptionUser names the options that it carries out and few other protocols can, so that a
// program can refuse those that its user asks for in vain: "decode" for AccessOptions.Decode,
// "like" for ListOptions.Like, "verify" for AttributesOptions.Verify, "reports" for
// WriteOptions.Reports, "type" for Body.Type, "reply" if an update or replacement returns the
// server's reply, and "tls" if a connection in clear text can switch to TLS (Env.TLSMode).
type OptionUser interface {
	Options() []string
}
