package report

import (
	"cmp"
	"context"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"locator/check"
	"locator/wire"
)

// Pace is how fast a run is.
type Pace struct {
	Rate float64       // URLs decided per second
	Left time.Duration // until the end at that rate; 0 means unknown
}

// A Meter measures the pace of a run. The zero value is ready to use. It is safe for concurrent
// use.
type Meter struct {
	mu    sync.Mutex
	since time.Time
	start int64
	at    time.Time
	have  int64
}

// paceOver is the time over which a Meter measures.
const paceOver = time.Minute

// Add adds a look at the run, and returns its pace since the first one, or in the last minutes.
func (m *Meter) Add(p check.Progress, now time.Time) Pace {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := p.Decided()
	if m.since.IsZero() {
		m.since, m.start = p.Begun, 0
		if !p.Ended.IsZero() {
			now = p.Ended
		}
	}
	if m.at.IsZero() || now.Sub(m.at) > paceOver {
		if !m.at.IsZero() {
			m.since, m.start = m.at, m.have
		}
		m.at, m.have = now, n
	}
	seconds := now.Sub(m.since).Seconds()
	if seconds <= 0 || n <= m.start {
		return Pace{}
	}
	pace := Pace{Rate: float64(n-m.start) / seconds}
	if p.Open > 0 {
		pace.Left = time.Duration(float64(p.Open) / pace.Rate * float64(time.Second)).Round(time.Second)
	}
	return pace
}

// WriteProgress writes the progress of a run for people.
func WriteProgress(w io.Writer, p check.Progress, pace Pace) error {
	var b strings.Builder
	state := fmt.Sprintf("%d open on %d hosts", p.Open, p.Hosts)
	if !p.Ended.IsZero() {
		state = "ended"
	}
	fmt.Fprintf(&b, "run %d: %d decided, %s, %.1f a second", p.Number, p.Decided(), state, pace.Rate)
	if pace.Left > 0 {
		fmt.Fprintf(&b, ", %v left", pace.Left)
	}
	b.WriteByte('\n')
	for _, v := range check.Verdicts() {
		if n := p.Verdicts[v]; n > 0 {
			fmt.Fprintf(&b, "  %d %s", n, v)
		}
	}
	b.WriteByte('\n')
	for _, h := range p.Worst {
		fmt.Fprintf(&b, "  %s: %d failed, %d open\n", wire.Escape(hostName(h)), h.Failed, h.Open)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// hostName returns the name of a host for people. Files, mail addresses and malformed URLs have none.
func hostName(h check.HostCount) string { return cmp.Or(h.Host, "without a host") }

// progressPage shows the progress of a run, and loads itself again every five seconds.
var progressPage = template.Must(template.New("progress").Funcs(template.FuncMap{"host": hostName}).Parse(`<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="5"><title>Run {{.P.Number}}</title>
<meta name="viewport" content="width=device-width"><style>:root{color-scheme:light dark}body{font:16px/1.5 sans-serif;max-width:50em;margin:2em auto;padding:0 1em}
table{border-collapse:collapse}th,td{text-align:left;padding:.2em 1em .2em 0}</style></head>
<body><main><h1>Run {{.P.Number}}</h1><p>{{.P.Decided}} URLs decided, {{if .P.Ended.IsZero}}{{.P.Open}} open on {{.P.Hosts}} hosts{{else}}ended{{end}};
{{printf "%.1f" .Pace.Rate}} a second{{if .Pace.Left}}, {{.Pace.Left}} left{{end}}.</p>
<table><caption>Verdicts</caption><tbody>{{range .Verdicts}}<tr><th scope="row">{{.}}</th><td>{{index $.P.Verdicts .}}</td></tr>{{end}}</tbody></table>
{{if .P.Worst}}<h2>Hosts with the most failures</h2><table><thead><tr><th scope="col">Host</th><th scope="col">Failed</th><th scope="col">Open</th></tr></thead>
<tbody>{{range .P.Worst}}<tr><td>{{host .}}</td><td>{{.Failed}}</td><td>{{.Open}}</td></tr>{{end}}</tbody></table>{{end}}</main></body></html>
`))

// writeProgressPage writes the progress of a run as a page of HTML.
func writeProgressPage(w io.Writer, p check.Progress, pace Pace) error {
	return progressPage.Execute(w, struct {
		P        check.Progress
		Pace     Pace
		Verdicts []check.Verdict
	}{p, pace, check.Verdicts()})
}

// writeMetrics writes the progress of a run for Prometheus.
func writeMetrics(w io.Writer, p check.Progress, pace Pace) error {
	var b strings.Builder
	b.WriteString("# TYPE locator_check_urls gauge\n")
	for _, v := range check.Verdicts() {
		fmt.Fprintf(&b, "locator_check_urls{verdict=%q} %d\n", string(v), p.Verdicts[v])
	}
	fmt.Fprintf(&b, "# TYPE locator_check_open gauge\nlocator_check_open %d\n# TYPE locator_check_hosts gauge\nlocator_check_hosts %d\n", p.Open, p.Hosts)
	fmt.Fprintf(&b, "# TYPE locator_check_rate gauge\nlocator_check_rate %g\n", pace.Rate)
	_, err := io.WriteString(w, b.String())
	return err
}

// ProgressHandler returns a handler that serves the progress of a run as a page at / and for
// Prometheus at /metrics. failed is called with the error if the progress cannot be read.
func ProgressHandler(progress func(context.Context) (check.Progress, error), failed func(error)) http.Handler {
	meter := new(Meter)
	handle := func(mediaType string, write func(io.Writer, check.Progress, Pace) error) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			p, err := progress(r.Context())
			if err != nil {
				failed(err)
				http.Error(w, "the run cannot be read", http.StatusInternalServerError)
				return
			}
			h := w.Header()
			h.Set("Content-Type", mediaType)
			h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
			h.Set("X-Content-Type-Options", "nosniff")
			_ = write(w, p, meter.Add(p, time.Now())) // the reader has gone
		}
	}
	mux := http.NewServeMux()
	mux.Handle("GET /{$}", handle("text/html; charset=utf-8", writeProgressPage))
	mux.Handle("GET /metrics", handle("text/plain; version=0.0.4; charset=utf-8", writeMetrics))
	return mux
}
