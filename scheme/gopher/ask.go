package gopher

import (
	"slices"
	"strconv"
	"strings"

	"locator/scheme"
	"locator/scheme/form"
)

// parseAsk parses the lines of an +ASK block (the Gopher+ document 2.8). A line that is not a
// directive is a note. It fails if there are more than maxQuestions questions. It must not leave
// any out, because the answers are distinguished by their position.
func parseAsk(lines []string, chars charset) ([]form.Field, error) {
	var qs []form.Field
	for _, line := range lines {
		parts := strings.Split(chars.fields(line), "\t")
		qs = append(qs, parseDirective(parts[0], parts[1:])...)
		if len(qs) > maxQuestions {
			return nil, scheme.Fail(scheme.CodeBroken, "the form has more than %d questions", maxQuestions)
		}
	}
	return qs, nil
}

func parseDirective(text string, args []string) []form.Field {
	directive, prompt, ok := strings.Cut(text, ":")
	directive = strings.ToLower(strings.TrimSpace(directive))
	prompt = strings.TrimSpace(prompt)
	if !ok || directive == "" || strings.Contains(directive, " ") {
		return ask(strings.TrimSpace(text), form.Note, "")
	}
	first := ""
	if len(args) > 0 {
		first = args[0]
	}
	switch directive {
	case "note":
		return ask(prompt, form.Note, "")
	case "ask", "askf":
		// The answer to AskF is the name of a file for the reply. It is sent, as UMN's client does.
		return ask(prompt, form.Text, first)
	case "askp":
		return ask(prompt, form.Secret, "")
	case "askl":
		return ask(prompt, form.Lines, first)
	case "choose":
		if len(args) == 0 {
			return ask(prompt, form.Text, "")
		}
		return []form.Field{{Name: prompt, Kind: form.Choice, Default: first, Options: args}}
	case "choosef":
		return ask(prompt, form.File, "")
	case "select":
		return parseSelect(prompt, args)
	}
	label := strings.TrimSpace(text) // with the unknown directive
	return ask(label, form.Text, first)
}

// parseSelect parses Select.
//
// QUIRK: there are three dialects: "prompt:1" (umn-2.3.0, 20), "prompt TAB 1", and the list of
// options of the Gopher+ document, each of which is a switch.
func parseSelect(prompt string, args []string) []form.Field {
	if len(args) == 0 {
		if p, ok := strings.CutSuffix(prompt, ":1"); ok {
			return ask(p, form.Switch, "1")
		}
		return ask(strings.TrimSuffix(prompt, ":0"), form.Switch, "0")
	}
	if len(args) == 1 && (args[0] == "0" || args[0] == "1") {
		return ask(prompt, form.Switch, args[0])
	}
	var qs []form.Field
	for _, option := range args {
		qs = append(qs, ask(prompt+" "+option, form.Switch, "0")...)
	}
	return qs
}

func ask(name string, kind form.Kind, value string) []form.Field {
	return []form.Field{{Name: name, Kind: kind, Default: value}}
}

// answerLines returns what is sent for the answer to a question: one line; for AskL the number of
// lines and the lines; for a note or a file nothing.
func answerLines(q form.Field, value string) ([]string, error) {
	switch q.Kind {
	case form.Note, form.File:
		return nil, nil
	case form.Lines:
		text := strings.TrimSuffix(strings.ReplaceAll(value, "\r\n", "\n"), "\n")
		if text == "" {
			return []string{"0"}, nil
		}
		ls := strings.Split(text, "\n")
		if slices.ContainsFunc(ls, func(l string) bool { return strings.ContainsAny(l, "\r\x00") }) {
			return nil, scheme.Fail(scheme.CodeUsage, "the answer to %q holds CR or NUL", q.Name)
		}
		for i := range ls {
			ls[i] = encodeAnswer(ls[i])
		}
		return append([]string{strconv.Itoa(len(ls))}, ls...), nil
	case form.Switch:
		switch strings.ToLower(strings.TrimSpace(value)) {
		case "1", "yes", "on", "true":
			return []string{"1"}, nil
		case "0", "no", "off", "false", "":
			return []string{"0"}, nil
		}
		return nil, scheme.Fail(scheme.CodeUsage, "the answer to %q is 1 or 0", q.Name)
	case form.Choice:
		if !slices.Contains(q.Options, value) {
			return nil, scheme.Fail(scheme.CodeUsage, "the answer to %q is one of: %s", q.Name, strings.Join(q.Options, ", "))
		}
	}
	if strings.ContainsAny(value, "\r\n\x00") {
		return nil, scheme.Fail(scheme.CodeUsage, "the answer to %q is one line", q.Name) // further lines would shift all later answers
	}
	return []string{encodeAnswer(value)}, nil
}
