package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"locator/check"
	"locator/check/report"
	"locator/gateway"
	"locator/internal/console"
	"locator/scheme"
)

func (a *app) watchCommand() *cobra.Command {
	var place checkPlace
	var every time.Duration
	var addr string
	cmd := &cobra.Command{
		Use:   "watch [DIR]",
		Short: "Show how far a check is",
		Long: "watch prints how far the last run in a folder or a database is, until it has ended: the URLs that are open and decided,\n" +
			"the rate, the time left, and the hosts with the most failures. With --addr it serves that as a page, and the figures\n" +
			"for Prometheus at /metrics.",
		Example: "  locator watch .links\n  locator watch --addr 127.0.0.1:9738 .links",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if every <= 0 {
				return scheme.Fail(scheme.CodeUsage, "--every must be positive")
			}
			return a.kept(cmd.Context(), &place, args, true, func(ctx context.Context, s check.Store) error {
				run, err := s.Open(ctx, 0)
				if err != nil {
					return err
				}
				if addr != "" {
					return a.serveProgress(ctx, addr, run)
				}
				return a.watch(ctx, run, every)
			})
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	place.register(f)
	f.DurationVar(&every, "every", 2*time.Second, "time between two looks")
	f.StringVar(&addr, "addr", "", "serve a page at this address")
	return cmd
}

// watch prints the progress of a run until it has ended.
func (a *app) watch(ctx context.Context, run check.Run, every time.Duration) error {
	var meter report.Meter
	for {
		p, err := run.Progress(ctx)
		if err != nil {
			return err
		}
		pace := meter.Add(p, time.Now())
		if a.flags.JSON {
			err = json.NewEncoder(a.Out).Encode(p)
		} else {
			err = report.WriteProgress(a.Out, p, pace)
		}
		if err != nil || !p.Ended.IsZero() {
			return console.OutputError(err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(every):
		}
	}
}

// serveProgress serves the progress of a run as a page, and for Prometheus.
func (a *app) serveProgress(ctx context.Context, addr string, run check.Run) error {
	l, err := listen(addr, &gateway.Options{})
	if err != nil {
		return err
	}
	fmt.Fprintf(a.Out, "http://%s/\n", l.Addr())
	srv := &http.Server{Handler: report.ProgressHandler(run.Progress, func(err error) { a.Say("%v", err) }), ReadHeaderTimeout: 10 * time.Second, WriteTimeout: 30 * time.Second}
	defer context.AfterFunc(ctx, func() { srv.Close() })()
	if err := srv.Serve(l); ctx.Err() == nil {
		return scheme.Fail(scheme.CodeLocal, "%w", err)
	}
	return nil
}
