package waisserver

import "sync"

// turns lets one search at a time run, which bounds their memory. Of the searches that wait, one of
// each address is in the line of all: a client with many connections delays others by one search.
type turns struct {
	all chan struct{} // holds an element while a search runs

	mu sync.Mutex
	of map[string]*turn // by address
}

// turn is the line of an address.
type turn struct {
	held   chan struct{} // holds an element while a search runs, or waits in the line of all
	inside int           // searches
}

// maxInside bounds the searches of an address that run or wait.
const maxInside = 100

func newTurns() *turns { return &turns{all: make(chan struct{}, 1), of: make(map[string]*turn)} }

// do calls search when it is its turn. It returns false if too many searches of the address wait.
func (t *turns) do(from string, search func()) bool {
	own := t.enter(from)
	if own == nil {
		return false
	}
	defer t.leave(from, own)
	own.held <- struct{}{}
	defer func() { <-own.held }()
	t.all <- struct{}{}
	defer func() { <-t.all }()
	search()
	return true
}

func (t *turns) enter(from string) *turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	own := t.of[from]
	if own == nil {
		own = &turn{held: make(chan struct{}, 1)}
		t.of[from] = own
	}
	if own.inside >= maxInside {
		return nil
	}
	own.inside++
	return own
}

func (t *turns) leave(from string, own *turn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if own.inside--; own.inside == 0 {
		delete(t.of, from)
	}
}
