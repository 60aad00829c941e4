// Package clock has the system clock, as a scheme.Clock.
package clock

import "time"

// System is the system clock.
type System struct{}

// Now returns time.Now().
func (System) Now() time.Time { return time.Now() }

// NewTimer starts a timer of package time.
func (System) NewTimer(d time.Duration) (<-chan time.Time, func() bool) {
	t := time.NewTimer(d)
	return t.C, t.Stop
}
