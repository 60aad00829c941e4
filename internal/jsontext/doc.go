// Package jsontext writes JSON strings that may hold any bytes: a byte that is not UTF-8 becomes
// \udcXX, which is not a character, so that every byte can be restored. encoding/json would lose
// them. It also writes the fields of objects.
package jsontext
