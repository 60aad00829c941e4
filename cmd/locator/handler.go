package main

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"locator"
	"locator/internal/handler"
	"locator/internal/manual"
	"locator/internal/settings"
	"locator/internal/units"
	"locator/scheme"
	"locator/scheme/all"
)

// handlerCommand has the verbs that make the program the handler of clicked links.
func (a *app) handlerCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "handler",
		Short: "Make locator the program that opens clicked links",
		Long: "handler makes \"locator open\" the program that the desktop calls for the links of URLs, so that they open in the web\n" +
			"browser through the gateway. It works on desktops that follow the specifications of freedesktop.org, as those of\n" +
			"Linux and the BSDs do. Elsewhere, the page /-/handler of the gateway says what the web browser can do.",
		Example: "  locator handler install\n" +
			"  locator handler install gopher wais\n" +
			"  locator handler uninstall",
		Args: manual.Takes(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	for _, verb := range []*cobra.Command{{
		Use:   "install [flags] [SCHEME...]",
		Short: "Install the handler",
		Long: "install writes a desktop entry for all schemes but those that browsers open themselves, and makes it the default\n" +
			"application for the URLs of each SCHEME in mimeapps.list; without SCHEME, for all of them. It also writes a systemd\n" +
			"unit, which starts the gateway with the session of the user once it is enabled. uninstall takes everything back.",
		Args: manual.Takes(0, -1),
		RunE: func(_ *cobra.Command, args []string) error { return a.installHandler(args) },
	}, {
		Use:   "uninstall",
		Short: "Take back what install did",
		Long:  "uninstall removes the desktop entry and the systemd unit, and restores the default applications that there were before.",
		Args:  manual.Takes(0, 0),
		RunE:  func(*cobra.Command, []string) error { return a.uninstallHandler() },
	}, {
		Use:   "status",
		Short: "Show which links open in locator",
		Long:  "status lists the schemes with the default application for their URLs, and what is installed.",
		Args:  manual.Takes(0, 0),
		RunE:  func(*cobra.Command, []string) error { return a.handlerStatus() },
	}, {
		Use: "files PROGRAM DIR", Hidden: true, // make calls it
		Short: "Write the desktop entry and the systemd units for PROGRAM into DIR",
		Args:  manual.Takes(2, 2),
		RunE: func(_ *cobra.Command, args []string) error {
			return handler.NewProgram(args[0], openable()).WriteFiles(args[1])
		},
	}} {
		a.share(verb, baseFlags)
		cmd.AddCommand(verb)
	}
	return cmd
}

// desktop returns the user's desktop.
func (a *app) desktop() (d handler.Desktop, err error) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return d, scheme.Fail(scheme.CodeUnsupported, "this system has no desktop that follows the specifications of freedesktop.org; see the page /-/handler of the gateway")
	}
	d.Data, d.Config = settings.DesktopFolders(a.Getenv)
	return d, nil
}

// openable returns the schemes that the program can open.
func openable() (schemes []string) {
	for _, s := range locator.Schemes() {
		if _, ok := all.Registry().Lookup(s.Name); ok {
			schemes = append(schemes, s.Name)
		}
	}
	return schemes
}

func (a *app) installHandler(names []string) error {
	d, err := a.desktop()
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err == nil {
		self, err = filepath.EvalSymlinks(self)
	}
	if err != nil {
		return err
	}
	p := handler.NewProgram(self, openable())
	if len(names) > 0 {
		p.Default = names
	}
	for _, name := range names {
		switch _, ok := all.Registry().Lookup(name); {
		case !ok:
			return scheme.Fail(scheme.CodeUsage, "unknown scheme %q; locator schemes lists them", name)
		case handler.IsBrowsers(name):
			return scheme.Fail(scheme.CodeUsage, "%s URLs open in the web browser, which locator would call again", name)
		}
	}
	if err := d.Install(p); err != nil {
		return scheme.Fail(scheme.CodeLocal, "%w", err)
	}
	a.Note("links of %s open in locator", units.Count(len(p.Default), "scheme"))
	a.Note("to start the gateway with your session: systemctl --user enable --now %s", handler.UnitName())
	return nil
}

func (a *app) uninstallHandler() error {
	d, err := a.desktop()
	if err != nil {
		return err
	}
	changed, err := d.Uninstall()
	for _, path := range changed {
		a.Note("removed or restored %s", path)
	}
	if err != nil {
		return scheme.Fail(scheme.CodeLocal, "%w", err)
	}
	if changed == nil {
		a.Note("nothing was installed")
	}
	return nil
}

func (a *app) handlerStatus() error {
	d, err := a.desktop()
	if err != nil {
		return err
	}
	schemes := openable()
	s, err := d.Status(schemes)
	if err != nil {
		return scheme.Fail(scheme.CodeLocal, "%w", err)
	}
	for _, line := range s.Lines(schemes) {
		err = errors.Join(err, a.PrintLine(line))
	}
	return err
}
