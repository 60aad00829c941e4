package gophertest

import (
	"strconv"
	"strings"

	"locator/scheme"
)

// Form is an electronic form (the Gopher+ document 2.8).
type Form struct {
	Ask []string // the lines of +ASK
	// Handle makes the text of the reply out of the data, without its end mark; [Form.Answers] reads the data. nil gives
	// the data back, between "BEGIN ANSWERS" and "END ANSWERS". Where the form is fetched without data, the data is "".
	Handle func(data string) string
}

// Answers reads the data of a filled form: an answer for each directive of Ask that has one, in their order, named by its
// prompt. What ChooseF sends is the rest of the data. ok is false where the data is not that of the form.
func (f Form) Answers(data string) (answers []scheme.Answer, ok bool) {
	next := func() (line string) {
		if line, data, ok = strings.Cut(data, "\r\n"); !ok {
			line, data, ok = strings.Cut(line, "\n")
		}
		return line
	}
	file := ""
	for _, text := range f.Ask {
		directive, rest, found := strings.Cut(text, ":")
		prompt, args, hasArgs := strings.Cut(strings.TrimSpace(rest), "\t")
		times := 1
		switch strings.ToLower(strings.TrimSpace(directive)) {
		case "note":
			continue
		case "choosef":
			file = prompt
			continue
		case "askl":
			n, err := strconv.ParseUint(next(), 10, 16)
			var lines []string
			for ; err == nil && ok && n > 0; n-- {
				lines = append(lines, next())
			}
			if err != nil || !ok {
				return nil, false
			}
			answers = append(answers, scheme.Answer{Name: prompt, Value: strings.Join(lines, "\n")})
			continue
		case "select":
			if hasArgs && args != "0" && args != "1" {
				times = strings.Count(args, "\t") + 1 // an answer for each option
			}
			prompt = strings.TrimSuffix(strings.TrimSuffix(prompt, ":0"), ":1")
		default:
			if !found {
				continue
			}
		}
		for range times {
			answers = append(answers, scheme.Answer{Name: prompt, Value: next()})
			if !ok {
				return nil, false
			}
		}
	}
	if file != "" {
		return append(answers, scheme.Answer{Name: file, File: strings.NewReader(data)}), true
	}
	return answers, data == ""
}
