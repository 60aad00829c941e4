package main

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"locator"
	"locator/internal/manual"
	"locator/internal/units"
	"locator/scheme"
	"locator/scheme/prospero/prosperoserver"
	"locator/scheme/wais/waisserver"
)

// folderServer is a running server of a folder.
type folderServer interface {
	URL() locator.URL
	Close()
}

// folderService is a verb that serves a folder.
type folderService struct {
	verb, addr string // addr is the default of --addr
	short      string
	long       string
	example    string
	// start starts the server. It calls log with each request, and skipped for each file that it
	// cannot serve.
	start func(dir, addr string, log func(text string), skipped func(err error)) (folderServer, error)
}

// folderServices returns the verbs that serve folders.
func folderServices() []folderService {
	return []folderService{{
		verb: "prospero", addr: "127.0.0.1:1525", short: "Serve a folder by Prospero",
		long: "serve prospero serves the files of DIR (default: the working directory) by Prospero, over UDP, until it is\n" +
			"interrupted. It prints the URL of the folder; with -v it also prints the requests. Files whose name begins with a dot\n" +
			"are not served, nor symbolic links that lead to such a file or out of the folder.\n\n" +
			"The file .links in a folder adds links. Each line has a name, a tab, and an ftp, gopher, telnet, wais or prospero\n" +
			"URL. The name \"+\" makes a union link: the links of that prospero directory are listed, too.",
		example: "  locator serve prospero ~/papers\n" +
			"  locator list prospero://localhost/AFTP",
		start: func(dir, addr string, log func(string), _ func(error)) (folderServer, error) {
			return prosperoserver.Start(dir, addr, prosperoserver.Options{Log: log, Software: "Locator-" + readBuild().Version})
		},
	}, {
		verb: "wais", addr: "127.0.0.1:2100", short: "Serve a folder by WAIS",
		long: "serve wais indexes the files in DIR (default: the working directory) and below it, and serves them as a WAIS database\n" +
			"until it is interrupted. It prints the URL of the database, which has the name of the folder; with -v it also prints\n" +
			"the requests. Files whose name begins with a dot are not served, nor symbolic links, nor what cannot be read. To\n" +
			"serve new and changed files, start it again.",
		example: "  locator serve wais ~/papers\n" +
			"  locator list --query 'heron marsh' wais://localhost:2100/papers",
		start: func(dir, addr string, log func(string), skipped func(error)) (folderServer, error) {
			name, err := filepath.Abs(dir)
			if err != nil {
				return nil, err
			}
			return waisserver.Start(filepath.Base(name), dir, waisserver.Options{Addr: addr, Log: log, Skipped: skipped})
		},
	}}
}

// folderCommands returns the verbs of serve that serve a folder, or their former names, which stay
// for one release.
func (a *app) folderCommands(former bool) (verbs []*cobra.Command) {
	for _, s := range folderServices() {
		cmd := a.folderCommand(s)
		if former {
			cmd.Use, cmd.Hidden = "serve-"+cmd.Use, true
		}
		verbs = append(verbs, cmd)
	}
	return verbs
}

func (a *app) folderCommand(s folderService) *cobra.Command {
	var addr string
	cmd := &cobra.Command{
		Use: s.verb + " [flags] [DIR]", Short: s.short, Long: s.long, Example: s.example, Args: manual.Takes(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := "."
			if len(args) > 0 {
				dir = args[0]
			}
			return a.serveFolder(cmd.Context(), s, dir, addr)
		},
	}
	cmd.Flags().StringVar(&addr, "addr", s.addr, "host and port to listen on")
	return cmd
}

// maxSkipped is how many files that cannot be read are named.
const maxSkipped = 10

// unread returns the file and the reason of an error, without the call of the system.
func unread(err error) string {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Path + ": " + path.Err.Error()
	}
	return err.Error()
}

// listenError returns why a server cannot listen on its address, or nil if err has another reason.
// The errors of package net for TCP are of type [net.OpError], those for UDP are so only in part.
func listenError(err error) error {
	if bad, ok := errors.AsType[*net.AddrError](err); ok {
		return errors.New(bad.Err)
	}
	if name, ok := errors.AsType[*net.DNSError](err); ok {
		return name
	}
	if op, ok := errors.AsType[*net.OpError](err); ok {
		return op.Err
	}
	return nil
}

// serveFolder serves a folder until ctx is done.
func (a *app) serveFolder(ctx context.Context, s folderService, dir, addr string) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return scheme.Fail(scheme.CodeUsage, "--addr %s: must be host:port, such as %s", addr, s.addr)
	}
	in, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return scheme.Fail(scheme.CodeLocal, "there is no folder %s", dir)
	case err != nil:
		return scheme.Fail(scheme.CodeLocal, "%w", err)
	case !in.IsDir():
		return scheme.Fail(scheme.CodeUsage, "%s is not a folder", dir)
	}
	skipped := 0
	run, err := s.start(dir, addr, func(text string) { a.Info("%s", safe(text)) }, func(err error) {
		if skipped++; skipped <= maxSkipped {
			a.Note("not served: %s", safe(unread(err)))
		}
	})
	switch reason := listenError(err); {
	case reason != nil:
		return scheme.Fail(scheme.CodeLocal, "cannot listen on %s: %w; --addr sets another host and port", addr, reason)
	case err != nil:
		return scheme.Fail(scheme.CodeLocal, "cannot serve %s: %w", dir, err)
	}
	defer run.Close()
	if n := skipped - maxSkipped; n > 0 {
		a.Note("%s more cannot be read and are not served", units.Count(n, "file"))
	}
	if ip, err := netip.ParseAddr(host); host != "localhost" && (err != nil || !ip.IsLoopback()) {
		a.Note("anybody who reaches %s can read the files", addr)
	}
	if err := a.PrintLine(run.URL().Text()); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}
