package gateway

import (
	"encoding/json"
	"net/http"
	"slices"

	"locator"
)

// handlerPath is the path of the page about links that open in the gateway. As JSON it says that this is a gateway, and which schemes
// it serves.
const handlerPath = ownPrefix + "handler"

// handled describes the gateway to programs.
type handled struct {
	Gateway string   `json:"gateway"` // always "locator"
	Version string   `json:"version,omitempty"`
	Schemes []string `json:"schemes"`
	Open    string   `json:"open"` // the path of a URL, which follows escaped
}

// handler serves the page on which a browser registers the gateway for the URLs of a scheme.
func (g *Gateway) handler(w http.ResponseWriter, r *http.Request) {
	data := handled{Gateway: "locator", Version: g.opt.Version, Open: ownPrefix + "go?url="}
	served := g.opt.Client.Registry.Names()
	for _, s := range locator.Schemes() { // in their order
		if slices.Contains(served, s.Name) {
			data.Schemes = append(data.Schemes, s.Name)
		}
	}
	if wantsJSON(r) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-store")
		json.NewEncoder(w).Encode(data) // a client that has gone reads nothing
		return
	}
	g.whole(w, r, http.StatusOK, "handler", g.newPage(r, "Clicked links open here", data))
}
