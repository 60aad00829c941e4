// Package filetree walks folders and opens the regular files in them, as programs that search files
// do: it leaves out what ignore rules name, hidden files and symbolic links, and never opens a pipe
// or a device.
package filetree
