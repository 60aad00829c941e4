package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/netip"

	"github.com/spf13/cobra"

	"locator/gateway"
	"locator/internal/manual"
	"locator/internal/tour"
	"locator/policy"
	"locator/scheme"
	"locator/scheme/all"
)

// serving has the flags of serve.
type serving struct {
	addr, policyFile string
	demo             bool
}

// serveCommand runs the gateway. Its own verbs serve folders by other protocols.
func (a *app) serveCommand() *cobra.Command {
	var s serving
	cmd := &cobra.Command{
		Use:   "serve [flags]",
		Short: "Serve every scheme to web browsers, and as an HTTP proxy",
		Long: "serve runs a gateway: a web server that shows the resources of every scheme in a web browser, until it is interrupted.\n" +
			"The address of a page is that of the gateway, \"/\" and then the URL: http://127.0.0.1:1738/gopher://host.dom/1/. The\n" +
			"front page has a box for any URL. Programs can use the gateway as an HTTP proxy: ftp_proxy=http://127.0.0.1:1738/.\n\n" +
			"Only public addresses are accessed, unless --addresses or --allow-net says otherwise. To listen on an address that\n" +
			"others reach, the gateway requires --policy. docs/gateway.md describes that file.",
		Example: "  locator serve\n" +
			"  locator serve --demo\n" +
			"  locator serve --addr 0.0.0.0:1738 --policy gateway.toml\n" +
			"  locator serve wais ~/papers",
		Args: manual.Takes(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.serve(cmd.Context(), &s) },
	}
	cmd.Flags().StringVar(&s.addr, "addr", "127.0.0.1:1738", "host and port to listen on")
	cmd.Flags().StringVar(&s.policyFile, "policy", "", "TOML file with what the gateway allows to whom")
	cmd.Flags().BoolVar(&s.demo, "demo", false, "start embedded servers of all schemes, linked from the front page")
	return cmd
}

// serve serves the gateway until ctx is done.
func (a *app) serve(ctx context.Context, s *serving) error {
	opt, err := a.gatewayOptions(s)
	if err != nil {
		return err
	}
	if s.demo {
		demo, err := tour.Start()
		if err != nil {
			return scheme.Fail(scheme.CodeLocal, "starting the servers of the demonstration: %w", err)
		}
		defer demo.Close()
		for _, x := range demo.URLs() {
			opt.Examples = append(opt.Examples, gateway.Example{URL: x.URL, Did: x.Did})
			if at, ok := x.URL.Addr(); ok {
				if addr, err := netip.ParseAddrPort(at); err == nil {
					opt.Also = append(opt.Also, addr)
				}
			}
		}
		opt.Folders = append(opt.Folders, demo.Folder())
	}
	l, err := listen(s.addr, &opt)
	if err != nil {
		return scheme.Fail(scheme.CodeLocal, "%w; --addr sets another host and port", err)
	}
	defer l.Close()
	var metrics net.Listener
	if at := opt.Service.Metrics; at != "" {
		if metrics, err = listen(at, &opt); err != nil {
			return scheme.Fail(scheme.CodeLocal, "--policy %s: metrics: %w", s.policyFile, err)
		}
		defer metrics.Close()
	}
	g, err := gateway.New(opt)
	if err != nil {
		return scheme.Fail(scheme.CodeLocal, "%w", err)
	}
	defer g.Close()
	if metrics != nil {
		go gateway.Serve(ctx, metrics, g.Metrics())
	}
	if err := a.PrintLine(fmt.Sprintf("http://%s/", l.Addr())); err != nil {
		return err
	}
	return gateway.Serve(ctx, l, g)
}

// listen listens on an address, which no URL may lead to.
func listen(addr string, opt *gateway.Options) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	if reason := listenError(err); reason != nil {
		return nil, fmt.Errorf("cannot listen on %s: %w", addr, reason)
	} else if err != nil {
		return nil, fmt.Errorf("cannot listen: %w", err)
	}
	own, err := netip.ParseAddrPort(l.Addr().String())
	if err != nil {
		l.Close()
		return nil, err
	}
	opt.Own = append(opt.Own, own)
	return l, nil
}

// gatewayOptions returns the options that the flags describe.
func (a *app) gatewayOptions(s *serving) (opt gateway.Options, err error) {
	host, _, err := net.SplitHostPort(s.addr)
	if err != nil {
		return opt, scheme.Fail(scheme.CodeUsage, "--addr %s: must be host:port, such as 127.0.0.1:1738", s.addr)
	}
	if ip, err := netip.ParseAddr(host); host != "localhost" && (err != nil || !ip.IsLoopback()) && s.policyFile == "" {
		return opt, scheme.Fail(scheme.CodeUsage, "--addr %s: to listen on an address that others reach, --policy is required", s.addr)
	}
	a.flags.Agent = "locator/" + readBuild().String()
	if opt.Client, err = a.flags.Options(all.Registry(), a.flags.SMTP); err != nil {
		return opt, err
	}
	opt.Logins, opt.Client.Logins = opt.Client.Logins, nil // those of the user are not for whoever uses the gateway
	opt.Policy = gateway.Policy()
	if s.policyFile != "" {
		if err := gateway.ReadPolicy(s.policyFile, &opt); err != nil {
			return opt, scheme.Fail(scheme.CodeLocal, "--policy: %w", err)
		}
	}
	if s.policyFile != "" || a.flags.Verbose {
		opt.Log = slog.New(slog.NewTextHandler(a.Err, nil))
	}
	p, of := opt.Policy.Options(), a.flags.Policy().Options()
	p.AllowPorts = append(p.AllowPorts, of.AllowPorts...)
	p.AllowNets, p.DenyNets = append(p.AllowNets, of.AllowNets...), append(p.DenyNets, of.DenyNets...)
	if a.flags.IsSet("addresses") {
		p.Addresses = of.Addresses
	}
	opt.Policy, opt.Version = policy.New(p), readBuild().Version
	return opt, nil
}
