// Package atomicfile stores a file completely or not at all. The contents are written to NAME.part,
// which is locked, and get their name when they are complete; until then, a file of that name stays
// as it is. Nothing that another user may have planted is used.
package atomicfile
