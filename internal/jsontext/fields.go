package jsontext

import (
	"strconv"

	"locator"
)

// The parts of a URL are bytes, and encoding/json would lose those that are not UTF-8. So JSON is
// appended by hand.

// AppendComma appends a comma, unless an object or array has just begun.
func AppendComma(b []byte) []byte {
	if n := len(b); n > 0 && b[n-1] != '{' && b[n-1] != '[' {
		b = append(b, ',')
	}
	return b
}

// AppendKey appends the name of a field, and a comma before it unless it is the first of its
// object. Names need no escapes.
func AppendKey(b []byte, name string) []byte {
	b = append(append(AppendComma(b), '"'), name...)
	return append(b, '"', ':')
}

// AppendText appends a field with a string.
func AppendText(b []byte, name, s string) []byte { return AppendString(AppendKey(b, name), s) }

// AppendOptional appends a field with a string, or null if the part is absent.
func AppendOptional(b []byte, name string, o locator.Optional) []byte {
	b = AppendKey(b, name)
	if s, ok := o.Get(); ok {
		return AppendString(b, s)
	}
	return append(b, "null"...)
}

// AppendFilled appends a field with a string, or null if that is empty.
func AppendFilled(b []byte, name, s string) []byte {
	if s == "" {
		return AppendOptional(b, name, locator.Optional{})
	}
	return AppendText(b, name, s)
}

// AppendList appends a field with an array of strings. A nil list becomes [].
func AppendList(b []byte, name string, list []string) []byte {
	b = append(AppendKey(b, name), '[')
	for _, s := range list {
		b = AppendString(AppendComma(b), s)
	}
	return append(b, ']')
}

// AppendBool appends a field with true or false.
func AppendBool(b []byte, name string, v bool) []byte {
	return strconv.AppendBool(AppendKey(b, name), v)
}

// AppendNumber appends a field with a number, or null if it is not known.
func AppendNumber[T int | int64 | uint16](b []byte, name string, n T, known bool) []byte {
	if b = AppendKey(b, name); !known {
		return append(b, "null"...)
	}
	return strconv.AppendInt(b, int64(n), 10)
}
