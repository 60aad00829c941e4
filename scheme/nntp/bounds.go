package nntp

import "locator/scheme"

// Bounds of what is held in memory, and of answers that lead nowhere (P6).
const (
	heldBudget = 32 << 20 // bytes of the rows that are read before they are yielded, and of all descriptions of groups
	maxEmpty   = 2000     // ranges one after the other in which the server has no article
	maxNoMatch = 20_000   // parts one after the other in which no article matches
)

// Estimates of memory beside the texts, in bytes.
const (
	rowCost         = 256
	moreCost        = 64  // a scheme.Attribute
	descriptionCost = 160 // a name and a description in a map
)

// tooMuch is the error for rows that exceed the budget.
func (s *session) tooMuch() error {
	return s.End(scheme.Fail(scheme.CodeBroken, "the overview of a few articles needs more than %d MiB, the limit", heldBudget>>20))
}

// found records whether a range of articles had any. It returns an error after too many ranges
// without.
func (b *block) found(n int) error {
	if n > 0 {
		b.empty = 0
	} else if b.empty++; b.empty > maxEmpty {
		return b.s.End(scheme.Fail(scheme.CodeProtocol, "the server announced articles, but has none in %d ranges one after the other", maxEmpty))
	}
	return nil
}
