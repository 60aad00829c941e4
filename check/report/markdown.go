package report

import (
	"bufio"
	"fmt"
	"strings"

	"locator/check"
)

// writeMarkdown writes headings, a table of counts, and a list of the findings. Texts of strangers
// are code spans, in which nothing is a link, a mention or a tag.
func writeMarkdown(w *bufio.Writer, r Report) error {
	l, t := newListing(r, true), newTally(r)
	if err := r.each(func(result *check.Result) error { l.add(result); t.add(result); return nil }); err != nil {
		return err
	}
	fmt.Fprint(w, "## Link check\n\n")
	for _, line := range t.summary()[1:] {
		fmt.Fprintf(w, "%s.\n\n", sentenceCase(line))
	}
	fmt.Fprint(w, "| verdict | URLs |\n|---|---:|\n")
	for _, v := range check.Verdicts() {
		if t.verdicts[v] > 0 {
			fmt.Fprintf(w, "| %s | %d |\n", v, t.verdicts[v])
		}
	}
	fmt.Fprintf(w, "| all | %d |\n", t.verdicts.total())
	list, more := l.findings()
	last := check.Verdict("")
	for _, f := range list {
		if f.Verdict != last {
			fmt.Fprintf(w, "\n### %s\n\n", sentenceCase(string(f.Verdict)))
			last = f.Verdict
		}
		fmt.Fprintf(w, "- %s%s%s%s\n", markText(f), codeSpan(f.subject()), colonSpan(f.reason()), colonSpan(f.extent()))
		for _, p := range f.Sources {
			fmt.Fprintf(w, "  - %s\n", codeSpan(placeText(p)))
		}
		if text := f.morePlaces(); text != "" {
			fmt.Fprintf(w, "  - %s\n", text)
		}
	}
	if text := moreFindings(more); text != "" {
		fmt.Fprintf(w, "\n%s.\n", text)
	}
	return nil
}

func markText(f *finding) string {
	if f.mark == "" {
		return ""
	}
	return "**" + f.mark + "** "
}

func colonSpan(s string) string {
	if s == "" {
		return ""
	}
	return ": " + codeSpan(s)
}

// codeSpan returns s as a code span: its fence has one backtick more than any row of them in s
// (CommonMark 6.1).
func codeSpan(s string) string {
	longest, length := 0, 0
	for _, c := range []byte(s) {
		if c != '`' {
			length = 0
			continue
		}
		length++
		longest = max(longest, length)
	}
	if longest == 0 {
		return "`" + s + "`"
	}
	fence := strings.Repeat("`", longest+1)
	return fence + " " + s + " " + fence
}

func sentenceCase(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
