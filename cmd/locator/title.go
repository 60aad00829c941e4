package main

import (
	"slices"
	"strings"

	"locator"
)

// shownArgs returns the arguments for the list of processes, with * for each byte of a password. The lengths stay.
func shownArgs(args []string) []string {
	shown := slices.Clone(args)
	flag := "" // whose value comes next
	for i, arg := range args {
		name, value, joined := strings.Cut(arg, "=")
		switch {
		case flag != "":
			shown[i] = hideValue(flag, arg)
			flag = ""
		case joined && isSecretFlag(name):
			shown[i] = name + "=" + hideValue(name, value)
		case isSecretFlag(arg):
			flag = arg
		case locator.Redact(arg) != arg:
			shown[i] = stars(arg, locator.Redact(arg))
		}
	}
	return shown
}

// isSecretFlag reports whether the value of a flag may hold a password or a key, behind a delimiter.
func isSecretFlag(name string) bool {
	return slices.Contains([]string{"--user", "--header", "--header-all", "--field"}, name)
}

// hideValue hides what follows the delimiter in the value of a flag.
func hideValue(flag, value string) string {
	delimiter := ":"
	if flag == "--field" {
		delimiter = "="
	}
	i := strings.Index(value, delimiter) + 1
	if i == 0 {
		return value
	}
	return value[:i] + strings.Repeat("*", len(value)-i)
}

// stars returns text with * from the first to the last byte in which its masked form differs.
func stars(text, masked string) string {
	begin, end := 0, 0
	for begin < min(len(text), len(masked)) && text[begin] == masked[begin] {
		begin++
	}
	for end < min(len(text), len(masked))-begin && text[len(text)-1-end] == masked[len(masked)-1-end] {
		end++
	}
	return text[:begin] + strings.Repeat("*", len(text)-begin-end) + text[len(text)-end:]
}
