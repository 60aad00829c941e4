package gateway

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"os"
	"strings"
	"sync"
	"time"

	"locator"
	"locator/internal/units"
	"locator/scheme"
)

// blockList is a file of what the gateway refuses, one in each line: a host, which stands for the hosts below it, too; a network or an
// address; or a URL, which stands for all that begin with it. "#" begins a comment. A nil blockList refuses nothing.
type blockList struct {
	file string
	log  *slog.Logger

	mu      sync.Mutex
	looked  time.Time
	changed time.Time // of the file
	size    int64
	blocked
}

// blocked is the content of a block list.
type blocked struct {
	hosts   map[string]bool
	nets    []netip.Prefix
	urls    []string
	version string // tells it from other ones
}

const (
	lookTime     = time.Second // between two looks whether the file has changed
	maxBlockList = 32 << 20    // bytes
)

// newBlockList reads a block list.
func newBlockList(file string, log *slog.Logger) (*blockList, error) {
	b := &blockList{file: file, log: log}
	return b, b.read(time.Now())
}

// read reads the file if it has changed.
func (b *blockList) read(now time.Time) error {
	b.looked = now
	in, err := os.Stat(b.file)
	if err != nil {
		return err
	}
	if in.ModTime().Equal(b.changed) && in.Size() == b.size {
		return nil
	}
	if in.Size() > maxBlockList {
		return fmt.Errorf("%s: larger than %s", b.file, units.Size(maxBlockList))
	}
	f, err := os.Open(b.file)
	if err != nil {
		return err
	}
	defer f.Close()
	b.changed, b.size = in.ModTime(), in.Size() // a wrong file is reported once
	list, err := parseBlockList(f)
	if err != nil {
		return fmt.Errorf("%s%w", b.file, err)
	}
	list.version = fmt.Sprint(b.changed.UnixNano(), "-", b.size)
	b.blocked = list
	return nil
}

func parseBlockList(r io.Reader) (list blocked, err error) {
	list.hosts = make(map[string]bool)
	in := bufio.NewScanner(io.LimitReader(r, maxBlockList))
	for n := 1; in.Scan(); n++ {
		line, _, _ := strings.Cut(in.Text(), "#")
		switch line = strings.TrimSpace(line); {
		case line == "":
		case strings.Contains(line, ":") && !isNet(line):
			u, err := locator.Current.Parse(line)
			if err != nil {
				return list, fmt.Errorf(":%d: %q is not a URL, a host or a network", n, line)
			}
			list.urls = append(list.urls, comparedText(u))
		case isNet(line):
			p, err := parseNet(line)
			if err != nil {
				return list, err
			}
			list.nets = append(list.nets, p)
		case !isHostName(line):
			return list, fmt.Errorf(":%d: %q is not a URL, a host or a network", n, line)
		default:
			list.hosts[strings.Trim(strings.ToLower(line), ".")] = true
		}
	}
	if err := in.Err(); err != nil {
		return list, fmt.Errorf(": %w", err)
	}
	return list, nil
}

func isNet(s string) bool { _, err := parseNet(s); return err == nil }

// now returns the list as the file is now. If that cannot be read, the list stays as it was.
func (b *blockList) now() blocked {
	b.mu.Lock()
	defer b.mu.Unlock()
	if now := time.Now(); now.Sub(b.looked) >= lookTime {
		if err := b.read(now); err != nil {
			b.log.Error("the block list stays as it was", "error", err)
		}
	}
	return b.blocked
}

// version tells what the list is now from what it was before.
func (b *blockList) version() string {
	if b == nil {
		return "none"
	}
	return b.now().version
}

// URL returns an error if the list refuses u.
func (b *blockList) URL(u locator.URL) error {
	if b == nil {
		return nil
	}
	list := b.now()
	c := u.Canonical()
	host := strings.Trim(strings.ToLower(c.ASCIIHost()), ".")
	for h := host; h != ""; {
		if list.hosts[h] {
			return scheme.Fail(scheme.CodeRefused, "%s is on the block list of this gateway", host)
		}
		_, h, _ = strings.Cut(h, ".")
	}
	if a, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		if err := list.addr(a); err != nil {
			return err
		}
	}
	text := comparedText(u)
	for _, prefix := range list.urls {
		if strings.HasPrefix(text, prefix) {
			return scheme.Fail(scheme.CodeRefused, "the URL is on the block list of this gateway")
		}
	}
	return nil
}

// comparedText returns the text by which URLs are compared: without a user, who changes nothing about what it locates, nor the dot that may
// end a name of a host.
func comparedText(u locator.URL) string {
	c := u.Canonical()
	if !c.HasHost() {
		return c.Text()
	}
	if v, err := c.WithUser(locator.Optional{}, locator.Optional{}); err == nil {
		c = v
	}
	if v, err := c.WithHost(strings.TrimSuffix(c.Host(), "."), c.Port()); err == nil {
		c = v
	}
	return c.Text()
}

// Addr returns an error if the list refuses an address.
func (b *blockList) Addr(a netip.Addr) error {
	if b == nil {
		return nil
	}
	return b.now().addr(a)
}

func (list blocked) addr(a netip.Addr) error {
	a = a.Unmap().WithZone("")
	for _, p := range list.nets {
		if p.Contains(a) {
			return scheme.Fail(scheme.CodeRefused, "%s is on the block list of this gateway", a)
		}
	}
	return nil
}
