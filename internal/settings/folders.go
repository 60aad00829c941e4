package settings

import (
	"cmp"
	"path/filepath"
)

// userFolder returns the user's folder of a program for files of one kind: below the value of a
// variable of the XDG Base Directory Specification, or below a folder in the home directory; "" if
// there is none. A relative value is ignored, as the specification says: the files of the current
// folder may be somebody else's.
func userFolder(getenv func(string) string, variable, below, program string) string {
	if dir := getenv(variable); filepath.IsAbs(dir) {
		return filepath.Join(dir, program)
	}
	home := cmp.Or(getenv("HOME"), getenv("USERPROFILE"))
	if home == "" {
		return ""
	}
	return filepath.Join(home, below, program)
}

func configFolder(getenv func(string) string, program string) string {
	return userFolder(getenv, "XDG_CONFIG_HOME", ".config", program)
}

// StateFolder returns the folder for what the program remembers; "" if none is known.
func StateFolder(getenv func(string) string) string {
	return userFolder(getenv, "XDG_STATE_HOME", filepath.Join(".local", "state"), "locator")
}

// DesktopFolders returns the folders for the data and the settings of all programs of the user; ""
// if they are not known.
func DesktopFolders(getenv func(string) string) (data, config string) {
	return userFolder(getenv, "XDG_DATA_HOME", filepath.Join(".local", "share"), ""), configFolder(getenv, "")
}
