package scheme

import "time"

// Clock returns the time and creates timers. Tests replace it.
type Clock interface {
	// Now returns the current time.
	Now() time.Time
	// NewTimer returns a channel that receives the time once after d, and a function that stops the
	// timer. stop returns false if the timer has already fired.
	NewTimer(d time.Duration) (c <-chan time.Time, stop func() bool)
}

// Cache stores small facts about servers, such as their features. Each scheme and principal has its
// own. Its size is limited: a value may be evicted at any time.
type Cache interface {
	// Get returns the value for key. ok is false if there is none or it has expired.
	Get(key string) (value any, ok bool)
	// Put stores value for ttl. The caller must not modify value afterwards.
	Put(key string, value any, ttl time.Duration)
}
