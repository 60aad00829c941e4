package find

import "strings"

// maxPageLine is the length of the longest footer or header of a page, in bytes.
const maxPageLine = 160

// page skips a page break as in RFCs, at the end of the line at i: a footer that ends in "[Page
// 7]", a form feed, and a header. It returns the offset of the end of the line before the text goes
// on; i if there is no page break; a negative offset if that is undecided.
func (w *wrapper[T]) page(i int) int {
	if i < w.noFooter {
		return i
	}
	footer, end, _ := w.nextLine(i)
	switch {
	case end < 0:
		return -1
	case !strings.HasSuffix(footer, "]") || !strings.Contains(footer, "[Page "):
		w.noFooter = end
		return i
	}
	header, after, feed := w.nextLine(end)
	switch {
	case after < 0:
		return -1
	case header == "":
		return end
	case feed || strings.HasPrefix(header, "RFC ") || strings.HasPrefix(strings.ToUpper(header), "INTERNET"):
		return after
	}
	return end
}

// nextLine returns the next line after i that is not blank, without blanks around it, and its end.
// feed reports whether a form feed precedes it. The line is empty if it is too long or if there is
// none, and its end negative if it is undecided.
func (w *wrapper[T]) nextLine(i int) (line string, end int, feed bool) {
	for w.need(i) && is(w.text[i], spaceClass) {
		if i >= w.limit {
			return "", i, false
		}
		feed = feed || w.text[i] == '\f'
		i++
	}
	end = i
	for end-i < maxPageLine && w.need(end) && !is(w.text[end], breakClass) {
		end++
	}
	switch {
	case w.more:
		return "", -1, false
	case end-i == maxPageLine:
		return "", end, false
	}
	return strings.TrimRight(string(w.text[i:end]), " \t"), end, feed
}
