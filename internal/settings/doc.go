// Package settings reads the flags that verbs share, from the command line, the environment and the
// configuration file, and makes the options of a client and the sources of logins of them.
package settings
