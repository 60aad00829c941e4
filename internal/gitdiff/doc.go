// Package gitdiff finds the lines that were added to files since a commit. It runs git.
package gitdiff
