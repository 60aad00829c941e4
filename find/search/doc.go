// Package search finds URLs in files, in the files of folders and in streams: with the rules of
// .gitignore files, in the format of each file, in the text of compressed files, and with the lines
// around a URL.
//
// [Search.All] returns the URLs one after the other. [Search.Write] searches many files at once and
// writes the result in order; [Search.WriteHTML] writes the texts as a page with links.
package search
