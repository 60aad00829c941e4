package option

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// The table of RFC 1143 section 7: each state, each received command, and each request of this end.
//
// Covers: A10, T30
func TestQMethod(t *testing.T) {
	t.Parallel()
	const (
		on  = "on"  // the other end enables: WILL or DO
		off = "off" // it disables: WONT or DONT
		ask = "ask" // this end asks to enable
		end = "end" // this end asks to disable
	)
	empty, opposite := false, true
	tests := []struct {
		from   state
		event  string
		agrees bool
		to     state
		sends  string // "on", "off" or ""
	}{
		{state{no, empty}, on, true, state{yes, empty}, on},
		{state{no, empty}, on, false, state{no, empty}, off},
		{state{yes, empty}, on, true, state{yes, empty}, ""},
		{state{wantNo, empty}, on, true, state{no, empty}, ""}, // "DONT answered by WILL"
		{state{wantNo, opposite}, on, true, state{yes, empty}, ""},
		{state{wantYes, empty}, on, false, state{yes, empty}, ""},
		{state{wantYes, opposite}, on, true, state{wantNo, empty}, off},
		{state{no, empty}, off, true, state{no, empty}, ""},
		{state{yes, empty}, off, true, state{no, empty}, off},
		{state{wantNo, empty}, off, true, state{no, empty}, ""},
		{state{wantNo, opposite}, off, true, state{wantYes, empty}, on},
		{state{wantYes, empty}, off, true, state{no, empty}, ""},
		{state{wantYes, opposite}, off, true, state{no, empty}, ""},

		{state{no, empty}, ask, true, state{wantYes, empty}, on},
		{state{yes, empty}, ask, true, state{yes, empty}, ""},
		{state{wantNo, empty}, ask, true, state{wantNo, opposite}, ""},
		{state{wantNo, opposite}, ask, true, state{wantNo, opposite}, ""},
		{state{wantYes, empty}, ask, true, state{wantYes, empty}, ""},
		{state{wantYes, opposite}, ask, true, state{wantYes, empty}, ""},
		{state{no, empty}, end, true, state{no, empty}, ""},
		{state{yes, empty}, end, true, state{wantNo, empty}, off},
		{state{wantNo, empty}, end, true, state{wantNo, empty}, ""},
		{state{wantNo, opposite}, end, true, state{wantNo, empty}, ""},
		{state{wantYes, empty}, end, true, state{wantYes, opposite}, ""},
		{state{wantYes, opposite}, end, true, state{wantYes, opposite}, ""},
	}
	for _, tt := range tests {
		for _, local := range []bool{true, false} {
			sent := ""
			n := &Negotiation{
				Agrees: func(Option, bool) bool { return tt.agrees },
				Send: func(c Command, o Option) {
					if (c == WILL || c == WONT) != local || o != Echo {
						t.Errorf("%+v: sends %v %v", tt, c, o)
					}
					sent += map[bool]string{true: on, false: off}[c == WILL || c == DO]
				},
			}
			var changes []bool
			n.Changed = func(_ Option, at, now bool) { changes = append(changes, at == local && now) }
			*n.state(Echo, local) = tt.from
			switch tt.event {
			case on:
				n.Receive(map[bool]Command{true: DO, false: WILL}[local], Echo)
			case off:
				n.Receive(map[bool]Command{true: DONT, false: WONT}[local], Echo)
			default:
				n.Ask(Echo, local, tt.event == ask)
			}
			if got := *n.state(Echo, local); got != tt.to || sent != tt.sends {
				t.Errorf("local %v, %+v: state %+v, sent %q", local, tt, got, sent)
			}
			var want []bool
			if was, is := tt.from.phase == yes, tt.to.phase == yes; was != is {
				want = []bool{is}
			}
			if !slices.Equal(changes, want) {
				t.Errorf("local %v, %+v: changes %v", local, tt, changes)
			}
		}
	}
}

// Two ends that use the Q method always settle, and then agree on each option, whatever they want
// and however often they change their mind. The number of requests is bounded by that of the
// wishes.
//
// Covers: A10, T30
func TestNegotiationsSettle(t *testing.T) {
	t.Parallel()
	type request struct {
		c Command
		o Option
	}
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1143))
		var ends [2]*Negotiation
		var queues [2][]request // to each end
		sent := 0
		for i := range ends {
			likes := make(map[string]bool)
			ends[i] = &Negotiation{
				Agrees: func(o Option, local bool) bool {
					key := fmt.Sprint(o, local)
					if _, known := likes[key]; !known || r.IntN(4) == 0 { // an end may change its mind
						likes[key] = r.IntN(2) == 0
					}
					return likes[key]
				},
				Send: func(c Command, o Option) {
					queues[1-i] = append(queues[1-i], request{c, o})
					sent++
				},
			}
		}
		const options = 3
		asks := 1 + r.IntN(20)
		for left := asks; left > 0 || len(queues[0])+len(queues[1]) > 0; {
			i := r.IntN(2)
			switch {
			case left > 0 && r.IntN(3) == 0:
				ends[i].Ask(Option(r.IntN(options)), r.IntN(2) == 0, r.IntN(2) == 0)
				left--
			case len(queues[i]) > 0:
				next := queues[i][0]
				queues[i] = queues[i][1:]
				ends[i].Receive(next.c, next.o)
			}
			if sent > 4*asks {
				t.Fatalf("seed %d: %d requests for %d wishes", seed, sent, asks)
			}
		}
		for o := range Option(options) {
			for i := range ends {
				here, there := *ends[i].state(o, true), *ends[1-i].state(o, false)
				if here != there || here.opposite || here.phase != no && here.phase != yes {
					t.Fatalf("seed %d: option %v of end %d: %+v and %+v", seed, o, i, here, there)
				}
			}
		}
	}
}
