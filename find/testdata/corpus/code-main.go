// Package catalogue lists libraries. It follows ⟦bare¦https://www.example.org/spec#names⟧.
//
// The format is described in [the manual]: ⟦not¦one:two⟧.
//
// [the manual]: ⟦bare¦https://docs.example.org/manual⟧
package catalogue

import (
	"⟦not¦example.org/net/url⟧"
)

//go:generate ⟦not¦go:run⟧ gen.go
const home = "⟦bare¦https://www.example.org/⟧" // see ⟦bare¦http://www.example.org/issue/12⟧.

var hosts = map[string]string{"a": "⟦bare¦http://a.example.org:8080/x⟧", "b": `⟦bare¦ftp://b.example.org/pub⟧`, "c":"⟦not¦x:y⟧"}

/*
The wrapper spans lines of a comment: ⟦wrapped¦<URL:http://www.example.org/
very/long/address>¦http://www.example.org/very/long/address⟧.
 * and here with leaders ⟦wrapped¦<URL:ftp://ftp.example.org/
 * pub/leaders>¦ftp://ftp.example.org/pub/leaders⟧
*/
func f(s string) string {
	// ⟦wrapped¦<URL:gopher://gopher.example.org/
	// 11/go>¦gopher://gopher.example.org/11/go⟧
	switch {
	case strings.HasPrefix(s, "⟦not¦http://⟧"), strings.HasPrefix(s, "⟦not¦mailto:⟧"):
		return "⟦bare¦http://www.example.org/a⟧\n" + s[⟦not¦1:2⟧] // ⟦not¦12:30⟧
	}
	fmt.Printf("⟦not¦http://%s:%d/⟧", host, port)
	return "⟦bare¦mailto:anna@example.org⟧;" + `<a href="⟦bare¦http://www.example.org/href⟧">`
}
