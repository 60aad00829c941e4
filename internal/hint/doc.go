// Package hint names the settings that errors refer to in [scheme.Error].Hint. The command line has
// words of flags for each of them.
package hint
