// Package units formats numbers, sizes and durations for people, and parses what people write.
package units

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Count returns a number and its noun, such as "1 file" and "2 files".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Precision returns the name of the precision of a time, as scheme.Attr has it: "second", "minute"
// or "day".
func Precision(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "second"
	case d < 24*time.Hour:
		return "minute"
	}
	return "day"
}

// Clock formats a duration as 0:07, 12:34 or 1:02:03.
func Clock(d time.Duration) string {
	s := int(d.Round(time.Second).Seconds())
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// Size formats a number of bytes, such as "2.0 KiB". The units are multiples of 1024.
func Size(n int64) string {
	if n < 1<<10 {
		return Count(int(n), "byte")
	}
	v, unit := float64(n)/(1<<10), 0
	for ; v >= 1023.95 && unit < len(prefixes)-1; unit++ {
		v /= 1 << 10
	}
	return fmt.Sprintf("%.1f %ciB", v, prefixes[unit])
}

const prefixes = "KMGTPE"

// Round rounds a duration to about three digits.
func Round(d time.Duration) time.Duration {
	switch {
	case d > time.Minute:
		return d.Round(time.Second)
	case d > time.Second:
		return d.Round(10 * time.Millisecond)
	}
	return d.Round(time.Millisecond)
}

// ParseSize parses a number of bytes over 0, such as 500, 500K, 2M or 1GB. The units are multiples
// of 1024.
func ParseSize(s string) (n int64, ok bool) {
	s = strings.ToUpper(s)
	digits := strings.TrimRight(s, "KMGB")
	shift, ok := map[string]uint{"": 0, "K": 10, "M": 20, "G": 30}[strings.TrimSuffix(s[len(digits):], "B")]
	n, err := strconv.ParseInt(digits, 10, 64)
	return n << shift, ok && err == nil && n > 0 && n <= math.MaxInt64>>shift
}

// ParseDuration parses a duration such as 2m or 1h30m. A number without a unit is in seconds.
func ParseDuration(s string) (d time.Duration, ok bool) {
	if s != "" && strings.Trim(s, "0123456789.") == "" {
		s += "s"
	}
	d, err := time.ParseDuration(s)
	return d, err == nil
}
