package main

import (
	"strconv"

	"locator"
	"locator/internal/jsontext"
)

// The parts of a URL are bytes, and encoding/json would lose those that are not UTF-8. So JSON is appended by hand.

// appendKey appends the name of a field, and a comma before it unless it is the first of its object. Names need no escapes.
func appendKey(b []byte, name string) []byte {
	if n := len(b); n > 0 && b[n-1] != '{' {
		b = append(b, ',')
	}
	b = append(b, '"')
	b = append(b, name...)
	return append(b, '"', ':')
}

// appendText appends a field with a string.
func appendText(b []byte, name, s string) []byte { return jsontext.AppendString(appendKey(b, name), s) }

// appendOptional appends a field with a string, or null if the part is absent.
func appendOptional(b []byte, name string, o locator.Optional) []byte {
	b = appendKey(b, name)
	if s, ok := o.Get(); ok {
		return jsontext.AppendString(b, s)
	}
	return append(b, "null"...)
}

// appendFilled appends a field with a string, or null if that is empty.
func appendFilled(b []byte, name, s string) []byte {
	return appendOptional(b, name, optionalOf(s, s != ""))
}

// appendList appends a field with an array of strings. A nil list becomes [].
func appendList(b []byte, name string, list []string) []byte {
	b = append(appendKey(b, name), '[')
	for i, s := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = jsontext.AppendString(b, s)
	}
	return append(b, ']')
}

// appendBool appends a field with true or false.
func appendBool(b []byte, name string, v bool) []byte {
	return strconv.AppendBool(appendKey(b, name), v)
}
