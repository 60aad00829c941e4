package repair

import (
	"cmp"
	"slices"

	"locator"
)

// Suggest returns the error that p.Parse returned for a text, with the URL that was probably meant
// in its Hint, and in its Msg what is wrong with the text. If nothing is known, or if err is not a
// *[locator.SyntaxError], it returns err as it is. Any password in the Hint is masked.
//
// Suggest takes much longer than Parse. Call it where a person reads the error.
func Suggest(p *locator.Parser, text string, err error) error {
	bad, ok := err.(*locator.SyntaxError)
	if !ok {
		return err
	}
	msg, hint := suggestion(p, text)
	if hint == "" {
		return err
	}
	suggested := *bad
	suggested.Msg, suggested.Hint = cmp.Or(msg, bad.Msg), hint
	return &suggested
}

// suggestion returns what is wrong with a text that p does not parse, and which URL was probably
// meant. The message is "" if that of the parser is good, the hint if nothing is known.
func suggestion(p *locator.Parser, text string) (msg, hint string) {
	if len(text) > maxHinted {
		return "", ""
	}
	masked := locator.Redact(text)
	if _, ok := try(p, masked); ok { // the mistake is in the password
		if twoAts(text) == "" {
			return "", ""
		}
		return atInLogin, didYouMean(masked)
	}
	inner := newRepairer(p, masked)
	inner.apply(inner.around())
	for _, by := range [...]*locator.Parser{p, locator.Current} {
		r := newRepairer(by, masked)
		u, ok := r.mend(false)
		i := slices.IndexFunc(r.edits, func(e edit) bool { return !e.minor })
		if ok && i >= 0 {
			return r.edits[i].why, didYouMean(u.Text())
		}
	}
	for _, g := range guesses {
		for _, t := range [...]string{masked, inner.text} {
			if hint = didYouMean(g.meant(t)); hint != "" {
				return g.msg, hint
			}
		}
	}
	return "", ""
}

// maxHinted is the length of the longest text for which a URL is suggested. Longer ones make no
// readable message.
const maxHinted = 300

// didYouMean returns the hint for a guess, "" if the guess is empty or not a URL.
func didYouMean(guess string) string {
	u, ok := try(locator.Current, guess)
	if !ok {
		return ""
	}
	// Redact masks what may be a password even if the guess has another reading.
	return `did you mean "` + locator.Redact(u.ASCII().Redacted()) + `"?`
}
