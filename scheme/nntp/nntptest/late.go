package nntptest

import "slices"

// Hide keeps the server from sending articles of a group that it lists, as one does whose disk is
// away. show ends that.
func (s *Server) Hide(group string, numbers ...int64) (show func()) {
	var hidden []string
	s.spool.replace(group, func(g *newsgroup) *newsgroup {
		g = g.clone()
		for _, n := range numbers {
			hidden = append(hidden, g.articles[n])
			delete(g.articles, n)
		}
		return g
	})
	return func() {
		s.spool.replace(group, func(g *newsgroup) *newsgroup {
			g = g.clone()
			for i, n := range numbers {
				g.articles[n] = hidden[i]
			}
			return g
		})
	}
}

// AddAt adds an article under a number that the group does not have, as a server does that gets it
// late.
func (s *Server) AddAt(group string, number int64, text string) {
	s.spool.replace(group, func(g *newsgroup) *newsgroup {
		g = g.clone()
		i, _ := slices.BinarySearch(g.numbers, number)
		g.numbers = slices.Insert(g.numbers, i, number)
		g.articles[number], g.came[number] = text, s.began
		return g
	})
}
