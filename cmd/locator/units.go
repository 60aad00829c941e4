package main

import (
	"fmt"
	"time"
)

func files(n int) string { return counted(n, "file") }

// counted returns a number and its noun.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// clock formats a time as 0:07, 12:34 or 1:02:03.
func clock(d time.Duration) string {
	s := int(d.Round(time.Second).Seconds())
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// size formats a number of bytes. K, M, G and T are multiples of 1024.
func size(n int64) string {
	if n < 1<<10 {
		return counted(int(n), "byte")
	}
	v, unit := float64(n)/(1<<10), 0
	for ; v >= 1023.95 && unit < len(units)-1; unit++ {
		v /= 1 << 10
	}
	return fmt.Sprintf("%.1f %ciB", v, units[unit])
}

const units = "KMGTPE"

// rounded rounds a duration to about three digits.
func rounded(d time.Duration) time.Duration {
	switch {
	case d > time.Minute:
		return d.Round(time.Second)
	case d > time.Second:
		return d.Round(10 * time.Millisecond)
	}
	return d.Round(time.Millisecond)
}
