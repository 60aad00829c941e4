package option

import "strconv"

// Command is a byte that follows IAC (RFC 854).
type Command byte

// The commands.
const (
	SE   Command = 240 + iota // end of a subnegotiation
	NOP                       // no operation
	DM                        // data mark, the data of a Synch
	BRK                       // break
	IP                        // interrupt process
	AO                        // abort output
	AYT                       // are you there
	EC                        // erase character
	EL                        // erase line
	GA                        // go ahead
	SB                        // start of a subnegotiation
	WILL                      // the sender wants to enable an option, or agrees to
	WONT                      // the sender refuses an option, or disables it
	DO                        // the sender wants the receiver to enable an option, or agrees to it
	DONT                      // the sender wants the receiver to disable an option
	IAC                       // interpret as command; IAC IAC is a data byte
)

var commandNames = [...]string{"SE", "NOP", "DM", "BRK", "IP", "AO", "AYT", "EC", "EL", "GA", "SB", "WILL", "WONT", "DO", "DONT", "IAC"}

// String returns the name of the command, or its number.
func (c Command) String() string {
	if c >= SE {
		return commandNames[c-SE]
	}
	return strconv.Itoa(int(c))
}

// Option is the code of an option.
type Option byte

// The options that this module knows by name.
const (
	Binary       Option = 0  // RFC 856
	Echo         Option = 1  // RFC 857
	SGA          Option = 3  // suppress go ahead, RFC 858
	Status       Option = 5  // RFC 859
	TimingMark   Option = 6  // RFC 860
	TerminalType Option = 24 // RFC 1091
	EndOfRecord  Option = 25 // RFC 885
	NAWS         Option = 31 // negotiate about window size, RFC 1073
	Speed        Option = 32 // RFC 1079
	FlowControl  Option = 33 // RFC 1372
	Linemode     Option = 34 // RFC 1184
	XDisplay     Option = 35 // RFC 1096
	OldEnviron   Option = 36 // RFC 1408
	Auth         Option = 37 // RFC 2941
	Encrypt      Option = 38 // RFC 2946
	NewEnviron   Option = 39 // RFC 1572
	TN3270E      Option = 40 // RFC 2355
	Charset      Option = 42 // RFC 2066
	ComPort      Option = 44 // RFC 2217
	StartTLS     Option = 46
)

var optionNames = map[Option]string{
	Binary: "BINARY", Echo: "ECHO", SGA: "SUPPRESS-GO-AHEAD", Status: "STATUS", TimingMark: "TIMING-MARK", TerminalType: "TERMINAL-TYPE",
	EndOfRecord: "END-OF-RECORD", NAWS: "NAWS", Speed: "TERMINAL-SPEED", FlowControl: "TOGGLE-FLOW-CONTROL", Linemode: "LINEMODE",
	XDisplay: "X-DISPLAY-LOCATION", OldEnviron: "ENVIRON", Auth: "AUTHENTICATION", Encrypt: "ENCRYPT", NewEnviron: "NEW-ENVIRON",
	TN3270E: "TN3270E", Charset: "CHARSET", ComPort: "COM-PORT-OPTION", StartTLS: "START-TLS",
}

// String returns the name of the option in the registry of IANA, or its number.
func (o Option) String() string {
	if name, ok := optionNames[o]; ok {
		return name
	}
	return strconv.Itoa(int(o))
}
