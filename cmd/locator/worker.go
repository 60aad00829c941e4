package main

import (
	"context"

	"github.com/spf13/cobra"

	"locator"
	"locator/check"
	"locator/check/store"
	"locator/client"
	"locator/scheme"
)

func (a *app) workerCommand() *cobra.Command {
	var place checkPlace
	var parallel int
	cmd := &cobra.Command{
		Use:   "worker --store URL",
		Short: "Help with the checks of other machines",
		Long: "worker checks URLs of the runs in a Postgres database, which check --store began, until it is interrupted. As many as\n" +
			"wanted may work at the same time, on as many machines. A host belongs to one of them at a time.",
		Example: "  locator worker --store postgres://check@db.example.org/links",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if place.store == "" || parallel < 1 {
				return scheme.Fail(scheme.CodeUsage, "--store URL is needed, and --parallel must be positive")
			}
			return a.access(cmd.Context(), func(ctx context.Context, c *client.Client) error {
				s, err := store.Open(ctx, store.Options{URL: place.store, Name: place.run})
				if err != nil {
					return err
				}
				defer s.Close()
				a.Say("waiting for URLs to check")
				w := &check.Worker{Checker: &check.Checker{Client: c, Parse: a.flags.Parser(locator.Current).Parse, Agent: "locator"}, Helps: true, Parallel: parallel, Buckets: place.buckets(parallel), Decided: a.decided}
				return w.Work(ctx, s)
			})
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	place.register(f)
	f.IntVar(&parallel, "parallel", check.DefaultParallel, "requests at once; those that wait long for an answer count no more")
	return cmd
}
