// Package repair guesses what the author of an invalid URL meant. A repair keeps the meaning of the
// text and is made by [Parse]; a guess may change it and is only suggested, by [Suggest] for a text
// that is not a URL, and by [Hint] for a URL that is read in another way than it was probably
// meant.
package repair
