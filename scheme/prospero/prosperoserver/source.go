package prosperoserver

import "time"

// Item is a directory or file.
type Item struct {
	Name     string
	Dir      bool
	Size     int64
	Modified time.Time
}

// Source has the files of a server. A path has the parts of a name, none of which is empty, "." or
// "..".
type Source interface {
	// List returns the items of a directory whose names match. n is how many names and files were
	// looked at; beyond max it ends. ok is false if it is not a directory, or cannot be read.
	List(path []string, match func(name string) bool, max int) (items []Item, n int, ok bool)

	// Stat returns the item of a path. ok is false if there is none.
	Stat(path []string) (f Item, ok bool)

	// Read returns the content of a file. ok is false if there is none, or it cannot be read or is
	// too long.
	Read(path []string) (content string, ok bool)

	// Links returns the LINK and ATTRIBUTE lines that a directory has besides, and the size of the
	// file that has them.
	Links(path []string) (lines []string, size int)
}

// Names is implemented by a [Source] that has more for a name than a file.
type Names interface {
	// Forwarded returns the words after FORWARDED, or "" if the name is not forwarded.
	Forwarded(name string) string

	// Object returns the reply to GET-OBJECT-INFO for a name. ok is false if it is that for the
	// file.
	Object(name string) (reply string, ok bool)

	// Stored returns ATTRIBUTE lines that are sent whatever attributes are asked for.
	Stored(name string) []string

	// AccessMethods returns further values of the attribute ACCESS-METHOD of a file.
	AccessMethods(name string) [][]string
}

// filesOnly are the Names of a Source without any.
type filesOnly struct{}

func (filesOnly) Forwarded(string) string         { return "" }
func (filesOnly) Object(string) (string, bool)    { return "", false }
func (filesOnly) Stored(string) []string          { return nil }
func (filesOnly) AccessMethods(string) [][]string { return nil }
