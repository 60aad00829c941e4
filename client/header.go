package client

import (
	"slices"
	"strings"
)

// mergeHeader returns the header lines of both. A field of the second replaces the field with the
// same name of the first.
func mergeHeader(first, second []string) []string {
	if len(second) == 0 {
		return first
	}
	merged := slices.Clone(second)
	for _, line := range first {
		if !slices.ContainsFunc(second, func(s string) bool { return fieldName(s) == fieldName(line) }) {
			merged = append(merged, line)
		}
	}
	return merged
}

// fieldName returns the name of a header line in lower case.
func fieldName(line string) string {
	name, _, _ := strings.Cut(line, ":")
	return strings.ToLower(strings.TrimSpace(name))
}

// foreignHeader returns the header lines that may be sent to a server that the user did not name.
// Any other field may be meant for one server: a key, a cookie, a Host.
func foreignHeader(header []string) []string {
	return slices.DeleteFunc(slices.Clone(header), func(line string) bool { return !slices.Contains(foreignFields, fieldName(line)) })
}

// foreignFields are header fields that describe the representation that the client wants or sends
// (RFC 9110 8, 12 and 13), and say nothing about the user.
var foreignFields = []string{
	"accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "content-encoding", "content-language", "content-type",
	"dnt", "if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "pragma", "prefer", "range", "sec-gpc", "te",
	"upgrade-insecure-requests", "user-agent",
}
