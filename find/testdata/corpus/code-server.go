// Package server serves. See ⟦bare¦https://pkg.example.org/server⟧.
//
// [the spec]: ⟦bare¦https://www.example.org/spec⟧
package server

import "example.org/x/http" // import "example.org/x/http"

type Link struct {
	File string `⟦not¦json:"file,omitempty" yaml:"file"⟧` // ⟦bare¦https://www.example.org/tags⟧
}

var m = map[string]string{"http":"⟦bare¦http://www.example.org/a⟧","file":"x"}
var r = regexp.MustCompile(`⟦not¦^https?://⟧`)

func main() {
	addr := flag.String("addr", "⟦not¦:8080⟧", "like ⟦bare¦http://localhost:8080⟧")
	log.Fatalf("⟦not¦http: listen⟧ %s⟦not¦: %v⟧", ⟦not¦"[::1]:80"⟧, err) // Output: ⟦bare¦http://[::1]:80/?q=%7B%7D⟧
	fmt.Sprintf("⟦any¦http://%s/x⟧", *addr)
	u := "⟦not¦https://⟧" + host + ⟦not¦":443/"⟧ + s[⟦not¦1:2⟧]
	const jsonText = "{\"url\":\"⟦bare¦http://www.example.org/escaped⟧\",\"n\":1}"
retry⟦not¦:⟧
	for {
	}
	//⟦not¦go:generate go run⟧ x.go -url=⟦bare¦https://www.example.org/gen⟧ -o y
	//⟦not¦nolint:http⟧
}
