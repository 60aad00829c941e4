package option

// Negotiation is one end of the negotiation of the options of a connection, by the Q method
// (RFC 1143 7): it answers only requests that change something, so two ends that use it never loop,
// whatever they want and whenever they change their mind. It is not safe for concurrent use.
type Negotiation struct {
	// Agrees reports whether this end agrees to enable an option, at this end (local) or at the
	// other.
	Agrees func(o Option, local bool) bool
	// Send sends WILL, WONT, DO or DONT.
	Send func(c Command, o Option)
	// Changed is called after an option was enabled or disabled. It may be nil.
	Changed func(o Option, local, on bool)

	local, remote [256]state // "us" and "him" in RFC 1143
}

// state is the state of an option at one end.
type state struct {
	phase    phase
	opposite bool // the queue bit: ask for the opposite when the answer to the request comes
}

type phase uint8

const (
	no phase = iota
	yes
	wantNo  // asked to disable; no answer yet
	wantYes // asked to enable; no answer yet
)

// Enabled reports whether an option is enabled at this end (local) or at the other.
func (n *Negotiation) Enabled(o Option, local bool) bool { return n.state(o, local).phase == yes }

func (n *Negotiation) state(o Option, local bool) *state {
	if local {
		return &n.local[o]
	}
	return &n.remote[o]
}

// Receive handles WILL, WONT, DO or DONT from the other end.
func (n *Negotiation) Receive(c Command, o Option) {
	local := c == DO || c == DONT
	if c == WILL || c == DO {
		n.receiveOn(o, local)
	} else {
		n.receiveOff(o, local)
	}
}

// receiveOn handles WILL, or DO if local is true.
func (n *Negotiation) receiveOn(o Option, local bool) {
	switch s := n.state(o, local); s.phase {
	case no:
		if !n.Agrees(o, local) {
			n.send(o, local, false)
			return
		}
		s.phase = yes
		n.send(o, local, true)
		n.changed(o, local, true)
	case wantNo: // an error of the other end: a request to disable was answered by enabling
		if s.phase = no; s.opposite {
			*s = state{phase: yes}
			n.changed(o, local, true)
		}
	case wantYes:
		if !s.opposite {
			s.phase = yes
			n.changed(o, local, true)
			return
		}
		*s = state{phase: wantNo}
		n.send(o, local, false)
	}
}

// receiveOff handles WONT, or DONT if local is true.
func (n *Negotiation) receiveOff(o Option, local bool) {
	switch s := n.state(o, local); s.phase {
	case yes:
		s.phase = no
		n.send(o, local, false)
		n.changed(o, local, false)
	case wantNo:
		if s.phase = no; s.opposite {
			*s = state{phase: wantYes}
			n.send(o, local, true)
		}
	case wantYes:
		*s = state{}
	}
}

// Ask asks the other end to let an option be enabled or disabled, at this end (local) or at the
// other.
func (n *Negotiation) Ask(o Option, local, on bool) {
	s := n.state(o, local)
	switch {
	case s.phase == no && on:
		s.phase = wantYes
		n.send(o, local, true)
	case s.phase == yes && !on:
		s.phase = wantNo
		n.send(o, local, false)
		n.changed(o, local, false)
	case s.phase == wantNo:
		s.opposite = on
	case s.phase == wantYes:
		s.opposite = !on
	}
}

func (n *Negotiation) send(o Option, local, on bool) {
	c := DONT
	switch {
	case local && on:
		c = WILL
	case local:
		c = WONT
	case on:
		c = DO
	}
	n.Send(c, o)
}

func (n *Negotiation) changed(o Option, local, on bool) {
	if n.Changed != nil {
		n.Changed(o, local, on)
	}
}
