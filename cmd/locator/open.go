package main

import (
	"context"
	"errors"
	"os"

	"github.com/spf13/cobra"

	"locator/internal/handler"
	"locator/internal/manual"
	"locator/scheme"
)

// opening has the flags of open.
type opening struct {
	addr      string
	printOnly bool
}

// openCommand shows a URL in the web browser, through a gateway.
func (a *app) openCommand() *cobra.Command {
	var o opening
	cmd := &cobra.Command{
		Use:   "open [flags] URL",
		Short: "Open a URL in the web browser, through the gateway",
		Long: "open shows a URL of any scheme in the web browser, through the gateway that listens at --addr. If none does, it starts\n" +
			"\"locator serve\" there, which goes on running.\n\n" +
			"The browser is that of the environment variable BROWSER, or the default browser of the desktop.",
		Example: "  locator open gopher://gopher.example.org/\n" +
			"  locator open '<URL:ftp://ftp.example.org/pub/>'\n" +
			"  locator open --print wais://wais.example.org/papers",
		Args: manual.Takes(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.openPage(cmd.Context(), &o, args[0]) },
	}
	cmd.Flags().StringVar(&o.addr, "addr", "127.0.0.1:1738", "host and port of the gateway")
	cmd.Flags().BoolVar(&o.printOnly, "print", false, "print the address of the page instead of opening it")
	return cmd
}

// openPage shows the page of a URL.
func (a *app) openPage(ctx context.Context, o *opening, text string) error {
	u, err := a.read(text)
	if err != nil {
		return err
	}
	if at, ok := u.Addr(); ok && at == o.addr {
		return scheme.Fail(scheme.CodeRefused, "%s is the address of the gateway itself", o.addr)
	}
	page, err := handler.Ask(ctx, o.addr, u.Text())
	if errors.Is(err, handler.ErrNoGateway) {
		page, err = a.startGateway(ctx, o.addr, u.Text())
	}
	if err != nil {
		return scheme.Fail(scheme.CodeLocal, "%w", err)
	}
	if o.printOnly {
		return a.PrintLine(page)
	}
	if err := handler.Browse(ctx, a.Getenv, page); err != nil {
		return scheme.Fail(scheme.CodeLocal, "%w", err)
	}
	return nil
}

// startGateway starts a gateway, and returns the address of the page of a URL.
func (a *app) startGateway(ctx context.Context, addr, target string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	if err := handler.StartGateway(ctx, self, addr); err != nil {
		return "", scheme.Fail(scheme.CodeLocal, "cannot start a gateway at %s: %w", addr, err)
	}
	a.Note("started the gateway http://%s/, which goes on running", addr)
	return handler.Ask(ctx, addr, target)
}
