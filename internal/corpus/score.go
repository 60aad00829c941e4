package corpus

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Found is a URL that a finder found.
type Found struct {
	Form           string // "" if the finder does not know forms
	Offset, Length int
	URL            string // with its fragment
	Alternatives   []string
}

// Options are the options of a comparison.
type Options struct {
	Optional string // "web", "mail" or "iri": these labels must be found, too; otherwise they may be
	Lenient  bool   // the span of a find lies within the place; its form and alternatives do not count
}

// Tally counts the labels of a group, what was found in it, and how much of that is right.
type Tally struct {
	Labels, Found, Right int
}

// Precision returns the share of what was found that is right; 1 if nothing was found.
func (t Tally) Precision() float64 { return share(t.Right, t.Found) }

// Recall returns the share of the labels that was found; 1 if there are no labels.
func (t Tally) Recall() float64 { return share(t.Right, t.Labels) }

// F1 returns the harmonic mean of precision and recall.
func (t Tally) F1() float64 { return share(2*t.Right, t.Found+t.Labels) }

func share(part, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}

// Score is the result of a comparison.
type Score struct {
	All    Tally
	Forms  map[string]Tally // by the form of the label; what is found outside labels counts for its own form, or bare
	Kinds  map[string]Tally // by the kind of the document
	Misses []string         // a line for each label that was not found and each find that is not a label
}

// Compare adds the result of one document.
func (s *Score) Compare(d *Document, found []Found, options Options) {
	if s.Forms == nil {
		s.Forms, s.Kinds = make(map[string]Tally), make(map[string]Tally)
	}
	right := make([]bool, len(d.Labels))
	wrong := make([]string, len(d.Labels)) // what was found instead
	for _, f := range found {
		if i := slices.IndexFunc(d.Labels, func(l Label) bool { return l.counts(options) && l.matches(f, options) }); i >= 0 && !right[i] {
			right[i] = true
			s.add(d, d.Labels[i].Form, Tally{Found: 1, Right: 1})
			continue
		}
		form := cmp.Or(f.Form, "bare")
		ignored, miss := false, -1
		for i, l := range d.Labels {
			if f.Offset >= l.Offset+l.Length || l.Offset >= f.Offset+f.Length {
				continue
			}
			if l.counts(options) {
				form, miss, ignored = l.Form, i, false
				break
			}
			ignored = ignored || l.Form != "not"
		}
		if ignored {
			continue
		}
		s.add(d, form, Tally{Found: 1})
		text := fmt.Sprintf("%s %q at %d, %d bytes", cmp.Or(f.Form, "find"), f.URL, f.Offset, f.Length)
		if len(f.Alternatives) > 0 {
			text += fmt.Sprintf(", or %q", f.Alternatives)
		}
		if miss >= 0 {
			wrong[miss] += "; found " + text
			continue
		}
		s.Misses = append(s.Misses, fmt.Sprintf("%s:%d: no URL; found %s", d.Name, 1+strings.Count(d.Text[:f.Offset], "\n"), text))
	}
	for i, l := range d.Labels {
		if !l.counts(options) {
			continue
		}
		s.add(d, l.Form, Tally{Labels: 1})
		if right[i] && wrong[i] == "" {
			continue
		}
		text := fmt.Sprintf("%s %q at %d, %d bytes", l.Form, l.URL, l.Offset, l.Length)
		if len(l.Alternatives) > 0 {
			text += fmt.Sprintf(", or %q", l.Alternatives)
		}
		s.Misses = append(s.Misses, fmt.Sprintf("%s:%d: want %s%s", d.Name, l.Line, text, cmp.Or(wrong[i], "; found nothing")))
	}
}

// matches reports whether a find is the label.
func (l *Label) matches(f Found, options Options) bool {
	if f.URL != l.URL {
		return false
	}
	within := f.Offset >= l.Offset && f.Offset+f.Length <= l.Offset+l.Length
	if options.Lenient {
		return within
	}
	span := f.Offset == l.Offset && f.Length == l.Length
	if l.Region {
		span = f.Offset < l.Offset+l.Length && l.Offset < f.Offset+f.Length
	}
	return span && f.Form == l.form() && slices.Equal(f.Alternatives, l.Alternatives)
}

func (s *Score) add(d *Document, form string, t Tally) {
	plus := func(a Tally) Tally { return Tally{a.Labels + t.Labels, a.Found + t.Found, a.Right + t.Right} }
	s.All = plus(s.All)
	s.Forms[form] = plus(s.Forms[form])
	s.Kinds[d.Kind] = plus(s.Kinds[d.Kind])
}

// Rows returns the tallies with their names: all, then the forms, then the kinds, each sorted.
func (s *Score) Rows() []Row {
	rows := []Row{{"all", s.All}}
	for group, m := range map[string]map[string]Tally{"form ": s.Forms, "text ": s.Kinds} {
		for name, t := range m {
			rows = append(rows, Row{group + name, t})
		}
	}
	slices.SortFunc(rows, func(a, b Row) int { return strings.Compare(a.Name, b.Name) })
	return rows
}

// Row is a line of a table of scores.
type Row struct {
	Name string
	Tally
}
