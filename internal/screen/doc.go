// Package screen filters the output of a server for the user's terminal.
//
// A terminal obeys the control sequences in what it is sent: they move the cursor and set colours,
// but also set the title, write to the clipboard, load keys with text, print, and make the terminal
// answer as if the user had typed. [Filter] passes only sequences that a table allows. It follows
// ECMA-48, so that it sees the same sequences as the terminal, and passes each sequence whole or
// not at all.
package screen
