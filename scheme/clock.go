package scheme

import "time"

// Clock tells the time and makes timers, so that tests can set the time.
type Clock interface {
	// Now is the current time.
	Now() time.Time
	// NewTimer returns a channel on which the time is sent once, after d, and a function that stops the timer. stop
	// reports whether it was in time.
	NewTimer(d time.Duration) (c <-chan time.Time, stop func() bool)
}

// SystemClock is the clock of the machine.
type SystemClock struct{}

// Now is time.Now.
func (SystemClock) Now() time.Time { return time.Now() }

// NewTimer is time.NewTimer.
func (SystemClock) NewTimer(d time.Duration) (<-chan time.Time, func() bool) {
	t := time.NewTimer(d)
	return t.C, t.Stop
}

// Cache keeps small facts about servers, such as what they can do. It is kept apart by scheme and by principal, and
// bounded: a value may be gone at any time.
type Cache interface {
	// Get returns the value of a key that has not expired.
	Get(key string) (value any, ok bool)
	// Put keeps a value for ttl. Values must not be changed after that.
	Put(key string, value any, ttl time.Duration)
}
