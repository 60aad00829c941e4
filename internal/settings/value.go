package settings

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"locator/internal/units"
)

// Duration is the value of a flag with a duration. A number without a unit is in seconds.
type Duration time.Duration

var errDuration = errors.New("must be seconds, such as 30 or 0.5, or a duration such as 2m or 1h30m")

// Set parses a duration.
func (d *Duration) Set(s string) error {
	v, ok := units.ParseDuration(s)
	if !ok {
		return errDuration
	}
	*d = Duration(v)
	return nil
}

func (d *Duration) String() string { return time.Duration(*d).String() }

// Type returns the word for the value in the help.
func (*Duration) Type() string { return "duration" }

// OneOf lists words for a message, without an empty first one: "off, try or require".
func OneOf(words []string) string {
	if words[0] == "" {
		words = words[1:]
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// MustBe says what the value of a flag must be, if err is that of a flag with a number or switch.
// Otherwise it returns "".
func MustBe(err error) string {
	bad, ok := errors.AsType[*pflag.InvalidValueError](err)
	number, wrong := errors.AsType[*strconv.NumError](err)
	switch {
	case !ok || !wrong:
		return ""
	case bad.GetFlag().Value.Type() == "bool":
		return "true or false"
	case errors.Is(number, strconv.ErrRange):
		return "a smaller number"
	}
	return "a whole number"
}

// Differing returns the flags that were given and have another value in other, as in "--json".
func Differing(given, other *pflag.FlagSet) (names []string) {
	given.Visit(func(f *pflag.Flag) {
		if x := other.Lookup(f.Name); x != nil && x.Value.String() != f.Value.String() {
			names = append(names, "--"+f.Name)
		}
	})
	return names
}

// ParseTime parses a date, in the local time zone unless it has one, or how long ago that is.
func ParseTime(s string, now time.Time) (time.Time, bool) {
	for _, form := range []string{time.DateOnly, time.RFC3339, "2006-01-02T15:04", "2006-01-02T15:04:05", "2006-01-02 15:04", time.DateTime} {
		if t, err := time.ParseInLocation(form, s, now.Location()); err == nil {
			return t, true
		}
	}
	for unit, hours := range map[string]float64{"d": 24, "w": 7 * 24} {
		if number, ok := strings.CutSuffix(s, unit); ok {
			n, err := strconv.ParseFloat(number, 64)
			if ok := err == nil && n >= 0 && n < 36500; ok {
				return now.Add(-time.Duration(n * hours * float64(time.Hour))), true
			}
			return time.Time{}, false
		}
	}
	var d Duration
	if err := d.Set(s); err != nil || d < 0 || s[len(s)-1] <= '9' { // a number alone could be meant as days
		return time.Time{}, false
	}
	return now.Add(-time.Duration(d)), true
}
