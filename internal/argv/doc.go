// Package argv hides passwords in the arguments of the process from other users of the computer,
// who can see them with ps.
//
// Only Linux allows that. Between the start of the program and the call, the arguments can be seen
// there, too.
package argv
