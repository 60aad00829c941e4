package gopher

// Bounds of what the reader of a menu holds in memory at once, where Limits has none (P6). What
// exceeds the first two is left out, and a note says so.
const (
	maxMirrors    = 64       // of an item
	maxAlternates = 64       // views of an item, in a listing
	maxQuestions  = 1000     // of a form
	detailBudget  = 64 << 20 // bytes of all the details that a server sends for the items of one menu
)
