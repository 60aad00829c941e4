// Package explain says what a URL means, as values: its parts, the rule of the grammar that it
// matches, what an access would send, why a policy refuses it, and its hazards. It makes no
// connection and looks up no name.
//
// [Read] parses a text, [Explainer.Explain] explains it, and [Schemes] lists the schemes that are
// known. Package locator/internal/present has their forms in JSON and as text.
package explain
