package z3950

// Init is the optional first request of a connection.
type Init struct {
	ProtocolVersion string // bitmap; bit 0 is the most significant bit of the first byte
	Options         string // bitmap: search, present, delete, access control, resource control
	// PreferredSize and RecordSize are the largest APDU that the client wants to receive, in bytes.
	// RecordSize decides.
	PreferredSize, RecordSize Number
	Authentication            string // name of the client and the user; "" is left out
	Implementation            string // "" is left out, as the next three
	Name, Version             string
	Reference                 string // the server may repeat it
	User                      []Element
}

// NewInit returns an Init for searching only, with the largest APDU that the client wants to
// receive.
func NewInit(size int) *Init {
	return &Init{ProtocolVersion: "\x80", Options: "\x80", PreferredSize: Some(uint64(size)), RecordSize: Some(uint64(size))}
}

// Append appends the APDU.
func (m *Init) Append(b []byte) ([]byte, error) {
	start := len(b)
	return m.append(begin(b, TypeInit), start)
}

func (m *Init) append(b []byte, start int) ([]byte, error) {
	b = appendElement(b, TagProtocolVersion, m.ProtocolVersion)
	b = appendElement(b, TagOptions, m.Options)
	b = m.PreferredSize.append(b, TagPreferredSize)
	b = m.RecordSize.append(b, TagRecordSize)
	b = appendString(b, TagAuthentication, m.Authentication)
	b = appendString(b, TagImplementation, m.Implementation)
	b = appendString(b, TagName, m.Name)
	b = appendString(b, TagVersion, m.Version)
	b = appendString(b, TagReference, m.Reference)
	b, err := end(b, start)
	if err != nil || m.User == nil {
		return b, err
	}
	var user []byte
	for _, e := range m.User {
		user = appendElement(user, e.Tag, e.Value)
	}
	return appendElement(b, TagUserInformation, user), nil
}

func parseInit(header decoder) (*Init, error) {
	m := new(Init)
	return m, m.parse(header)
}

func (m *Init) parse(d decoder) error {
	return d.each(func(tag Tag, value []byte) (err error) {
		switch tag {
		case TagProtocolVersion:
			m.ProtocolVersion = string(value)
		case TagOptions:
			m.Options = string(value)
		case TagPreferredSize:
			m.PreferredSize, err = d.number(tag, value)
		case TagRecordSize:
			m.RecordSize, err = d.number(tag, value)
		case TagAuthentication:
			m.Authentication = string(value)
		case TagImplementation:
			m.Implementation = string(value)
		case TagName:
			m.Name = string(value)
		case TagVersion:
			m.Version = string(value)
		case TagReference:
			m.Reference = string(value)
		}
		return err
	})
}

// InitResponse is the response to an Init.
type InitResponse struct {
	Accepted bool
	Init     // what the server chose, and what it says about itself
}

// Append appends the APDU.
func (m *InitResponse) Append(b []byte) ([]byte, error) {
	start := len(b)
	b = begin(b, TypeInitResponse)
	var result byte
	if m.Accepted {
		result = 1
	}
	return m.append(append(b, result), start)
}

// ParseInitResponse decodes the APDU of an InitResponse.
func ParseInitResponse(apdu []byte) (*InitResponse, error) {
	typ, d, user, err := split(apdu)
	if err != nil {
		return nil, err
	}
	if typ != TypeInitResponse {
		return nil, d.fail("type %d instead of %d, InitResponse", typ, TypeInitResponse)
	}
	m := new(InitResponse)
	result, err := d.fixed(1)
	if err != nil {
		return nil, err
	}
	m.Accepted = result == 1
	if err := m.parse(d); err != nil {
		return nil, err
	}
	err = user.each(func(tag Tag, value []byte) error {
		if tag != TagUserInformation {
			return nil
		}
		group := decoder{value, "user information"}
		return group.each(func(tag Tag, value []byte) error {
			m.User = append(m.User, Element{tag, value})
			return nil
		})
	})
	return m, err
}
