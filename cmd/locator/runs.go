package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"locator/check"
	"locator/check/report"
	"locator/internal/console"
)

func (a *app) runsCommand() *cobra.Command {
	var place checkPlace
	var drop int64
	cmd := &cobra.Command{
		Use:   "runs [DIR]",
		Short: "List the runs that check has kept",
		Long: "runs prints a line for each run that check has kept in a folder or a database, oldest first: its number, when it began\n" +
			"and ended, and how many URLs have each verdict.",
		Example: "  locator runs .links\n  locator runs --drop 3 .links",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.kept(cmd.Context(), &place, args, drop == 0, func(ctx context.Context, s check.Store) error {
				if drop != 0 {
					return s.Drop(ctx, drop)
				}
				return a.printRuns(ctx, s)
			})
		},
	}
	place.register(cmd.Flags())
	cmd.Flags().Int64Var(&drop, "drop", 0, "remove the run of this number; the history of its URLs remains")
	return cmd
}

func (a *app) printRuns(ctx context.Context, s check.Store) error {
	runs, err := s.Runs(ctx)
	if err != nil {
		return err
	}
	for _, r := range runs {
		if a.flags.JSON {
			err = json.NewEncoder(a.Out).Encode(r)
		} else {
			_, err = fmt.Fprintln(a.Out, report.RunLine(r))
		}
		if err != nil {
			return console.OutputError(err)
		}
	}
	return nil
}
