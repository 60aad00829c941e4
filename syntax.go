package locator

// Parser reads URLs of one syntax.
type Parser struct {
	name string
}

// RFC1738 reads exactly RFC 1738 section 5 with erratum 5118. Current reads the same schemes as today's RFCs do.
var (
	RFC1738 = &Parser{name: "rfc1738"}
	Current = &Parser{name: "current"}
)

func (p *Parser) Parse(s string) (URL, error) { panic("stub") }

// Name is "rfc1738" or "current".
func (p *Parser) Name() string { return p.name }

// Syntax describes one scheme.
type Syntax struct {
	Name         string
	Port         uint16   // the default port, 0 if none
	Ports        []uint16 // the well-known ports of the protocol
	Hierarchical bool
	Rule         string
	Section      string
	Productions  string
}

// SyntaxOf gives the description of one of the ten schemes or https, nil for others.
func SyntaxOf(scheme string) *Syntax { panic("stub") }

// Schemes gives the descriptions of the ten schemes and https.
func Schemes() []*Syntax { panic("stub") }
