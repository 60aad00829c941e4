package gateway

import (
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/VictoriaMetrics/metrics"
)

// meters count what a gateway does. Their labels have a fixed number of values: none is chosen by a client or a server.
type meters struct{ set *metrics.Set }

func newMeters(g *Gateway) *meters {
	m := &meters{metrics.NewSet()}
	m.set.NewGauge("locator_requests_running", func() float64 { return float64(g.running.Load()) })
	m.set.NewGauge("locator_upstreams", func() float64 { return float64(g.upstreams.count()) })
	m.set.NewGauge("locator_clients", func() float64 { return float64(g.clients.count()) })
	m.set.NewGauge("locator_cache_bytes", func() float64 { return float64(g.cache.bytes()) })
	return m
}

// views are the words for the views of a request.
var viewWords = map[view]string{viewPage: "page", viewRaw: "raw", viewFile: "file", viewExplain: "explain", viewOwn: "own", viewProxy: "proxy"}

// request counts a request that has ended.
func (m *meters) request(v view, scheme string, status int, bytes int64, took time.Duration) {
	word := viewWords[v]
	if word == "" {
		word = "other"
	}
	m.set.GetOrCreateCounter(`locator_requests_total{view="` + word + `",status="` + strconv.Itoa(status) + `"}`).Inc()
	m.set.GetOrCreateCounter(`locator_sent_bytes_total{view="` + word + `"}`).AddInt64(bytes)
	m.set.GetOrCreatePrometheusHistogram(`locator_request_seconds{view="` + word + `"}`).Update(took.Seconds())
	if scheme != "" {
		m.set.GetOrCreateCounter(`locator_accesses_total{scheme="` + scheme + `"}`).Inc()
	}
}

// cached counts a response by where it comes from.
func (m *meters) cached(status string) {
	m.set.GetOrCreateCounter(`locator_cache_total{status="` + status + `"}`).Inc()
}

// refused counts a request that got no turn: of a client, or at an upstream server.
func (m *meters) refused(by string) {
	m.set.GetOrCreateCounter(`locator_refused_total{by="` + by + `"}`).Inc()
}

// Metrics returns a handler that serves the metrics of the gateway in the text format of Prometheus. They say how much the gateway
// is used, so they are for whoever runs it, and not a page of the gateway.
func (g *Gateway) Metrics() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		g.metrics.set.WritePrometheus(w)
		metrics.WriteProcessMetrics(w)
	})
}

// health answers the questions of whoever watches the gateway: whether it runs, and whether it takes requests.
func (g *Gateway) health(w http.ResponseWriter, path string) bool {
	status, text := http.StatusOK, "ok\n"
	switch path {
	case ownPrefix + "health":
	case ownPrefix + "ready":
		if g.stopping.Load() {
			status, text = http.StatusServiceUnavailable, "stopping\n"
		}
	default:
		return false
	}
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	io.WriteString(w, text) // a client that has gone reads nothing
	return true
}
