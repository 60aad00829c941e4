// Package bnf runs the grammars of RFC 1738 and of the RFCs after it. It is for
// tests only: the oracle that the hand-written parsers are held against, and
// the source of the URLs that they are tried with. No program links it.
//
// rfc1738.bnf has the productions of section 5 as text. [Parse] reads that
// text, [Grammar.Match] recognises with it and finds the first byte that no
// sentence can continue with, [Grammar.Generate] writes random sentences, and
// [Mutate] spoils them. [URL] puts the rules together as section 2.1 asks: a
// predefined scheme has to meet its own rule, any other the generic one.
//
// The RFCs after it are written in another notation, that of RFC 5234, which
// [ParseABNF] reads; [RFC] returns the grammars of those in the files
// rfc*.abnf. The engine is the same.
//
// The engine shares nothing with the parsers it judges: it knows no URL, only
// the notation. Where the BNF and the prose of the RFC differ, the BNF wins.
//
// # The notation
//
// It is that of RFC 822 section 2 as RFC 1738 section 5 changes it:
//
//	"text"     these characters, in this case
//	<">        the quotation mark
//	a b        a, then b
//	a | b      a or b
//	[ a ]      a or nothing
//	*a  n*a    a any number of times; n times or more
//	; text     a comment, up to the end of the line
//
// After a repetition the brackets only group: "1*[ a | b ]" is one or more,
// never none. RFC 822 ignores case in literals, but RFC 1738 spells out both
// cases wherever both are meant, so case counts here, save in the name of a
// scheme ("interpreters should use case-ignore"): below the rule named scheme,
// and in a literal such as "ftp://" up to its colon.
//
// Implements: RFC 1738 section 5 (with erratum 5118), RFC 822 section 2 as far
// as RFC 1738 uses it, RFC 5234 and RFC 7405 but for prose; and the collected
// grammars of RFC 2224, 3986, 3987, 5538, 6068, 6270 and 8089.
package bnf
