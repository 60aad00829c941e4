package main

import (
	"strings"
	"testing"

	"golang.org/x/time/rate"

	"locator/scheme"
)

func TestParseRate(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]rate.Limit{
		"1": 1, "500": 500, "500K": 500 << 10, "2m": 2 << 20, "1G": 1 << 30, "3KB": 3 << 10, "7b": 7,
		"": 0, "0": -1, "-1": -1, "K": -1, "1.5M": -1, "1KK": -1, "1 M": -1, "M1": -1, "1T": -1, "99999999999999999999": -1, "9007199254740993K": -1, "8589934592G": -1,
	} {
		l, err := parseRate(text)
		switch {
		case want < 0:
			if err == nil {
				t.Errorf("%q is taken", text)
			}
		case want == 0:
			if l != nil || err != nil {
				t.Errorf("%q: %v, %v", text, l, err)
			}
		case err != nil || l.Limit() != want || l.Burst() > 64<<10 || l.Burst() < 1:
			t.Errorf("%q: %v, %v, want %v", text, l, err, want)
		}
	}
}

func TestGetUsage(t *testing.T) {
	t.Parallel()
	sum := strings.Repeat("0a", 32)
	for _, args := range [][]string{
		{"--sha256", sum, "x:y"}, {"--sha256", "abc", "-o", "f", "x:y"}, {"--sha256", sum[1:] + "g", "-o", "f", "x:y"},
		{"--sha256", sum, "-r", "x:y"}, {"--continue", "x:y"}, {"--if-newer", "x:y"}, {"--retries", "-1", "x:y"},
		{"--parallel", "0", "x:y"}, {"--per-host", "0", "x:y"}, {"-o", "f", "-r", "x:y"}, {"--limit-rate", "fast", "x:y"},
		{"-r", "--depth", "-1", "x:y"}, {"-r", "--include", "{", "x:y"},
	} {
		if _, errs, status := runText(t, "", append([]string{"get"}, args...)...); status != scheme.CodeUsage.Exit() {
			t.Errorf("%q: status %d, %s", args, status, errs)
		}
	}
}
