package gateway

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"locator"
	"locator/internal/tomlfile"
	"locator/internal/units"
	"locator/policy"
)

// ReadPolicy reads a policy file (TOML) into the options of a gateway that others reach. docs/gateway.md lists the keys. An error names
// the file, the line and the key. Files that the policy names are relative to its folder.
func ReadPolicy(file string, opt *Options) error {
	h, err := os.Open(file)
	if err != nil {
		return err
	}
	defer h.Close()
	f, err := tomlfile.Read(h, file)
	if err != nil {
		return err
	}
	if opt.Policy == nil {
		opt.Policy = Policy()
	}
	r := &policyReader{file: f, opt: opt, policy: opt.Policy.Options(), users: make(map[string]*User)}
	r.opt.Service.Upstream, r.opt.Service.Clients, r.opt.Service.Changes = publicUpstream, publicClients, publicChanges
	r.opt.Service.ClientConns = publicConns
	r.opt.Service.Users = []User{} // not nil: nobody may change anything
	r.opt.Service.Cache = &Cache{}
	if err := f.Each(r.set); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(r.users)) {
		u := *r.users[name]
		if u.Hash == "" {
			return f.At([]string{"user", name}, fmt.Errorf("user.%s: needs a password", name))
		}
		opt.Service.Users = append(opt.Service.Users, u)
	}
	opt.Policy = policy.New(r.policy)
	return nil
}

// policyReader reads the keys of a policy file.
type policyReader struct {
	file   *tomlfile.File
	opt    *Options
	policy policy.Options
	users  map[string]*User
}

// policyKeys are the keys of a policy file, in the order of its description, without those of users.
func policyKeys() map[string]func(r *policyReader, v any) error {
	share := func(of func(*Service) *Share, set func(*Share, any) error) func(*policyReader, any) error {
		return func(r *policyReader, v any) error { return set(of(&r.opt.Service), v) }
	}
	keys := map[string]func(r *policyReader, v any) error{
		"hosts":           func(r *policyReader, v any) error { return texts(v, &r.opt.Hosts, isHostName) },
		"addresses":       func(r *policyReader, v any) (err error) { r.policy.Addresses, err = addressesOf(v); return err },
		"allow_ports":     func(r *policyReader, v any) (err error) { r.policy.AllowPorts, err = portsOf(v); return err },
		"allow_nets":      func(r *policyReader, v any) error { return networks(v, &r.policy.AllowNets) },
		"deny_nets":       func(r *policyReader, v any) error { return networks(v, &r.policy.DenyNets) },
		"schemes":         (*policyReader).schemes,
		"folders":         (*policyReader).folders,
		"block_list":      func(r *policyReader, v any) error { return r.path(v, &r.opt.Service.BlockList) },
		"key_file":        func(r *policyReader, v any) error { return r.path(v, &r.opt.Service.KeyFile) },
		"trusted_proxies": func(r *policyReader, v any) error { return networks(v, &r.opt.Service.Proxies) },
		"content_origin":  func(r *policyReader, v any) error { return text(v, &r.opt.Service.ContentOrigin, isOrigin) },
		"metrics":         func(r *policyReader, v any) error { return text(v, &r.opt.Service.Metrics, isHostPort) },
		"cache.folder":    func(r *policyReader, v any) error { return r.path(v, &r.opt.Service.Cache.Folder) },
		"cache.size":      func(r *policyReader, v any) error { return size(v, &r.opt.Service.Cache.Size) },
		"cache.object":    func(r *policyReader, v any) error { return size(v, &r.opt.Service.Cache.Object) },
		"cache.age":       func(r *policyReader, v any) error { return duration(v, &r.opt.Service.Cache.Age) },
		"limits.listing":  func(r *policyReader, v any) error { return size(v, &r.policy.Limits.Listing) },
		"limits.body":     func(r *policyReader, v any) error { return size(v, &r.policy.Limits.Body) },
		"limits.time":     func(r *policyReader, v any) error { return duration(v, &r.policy.Limits.Time) },
		"limits.idle":     func(r *policyReader, v any) error { return duration(v, &r.policy.Limits.Idle) },
		"limits.read":     func(r *policyReader, v any) error { return duration(v, &r.opt.Service.ReadTime) },
		"limits.write":    func(r *policyReader, v any) error { return duration(v, &r.opt.Service.WriteTime) },
		"limits.clients":  func(r *policyReader, v any) error { return whole(v, &r.opt.Service.MaxConns) },
	}
	for name, of := range map[string]func(*Service) *Share{
		"upstream": func(s *Service) *Share { return &s.Upstream }, "client": func(s *Service) *Share { return &s.Clients }, "changes": func(s *Service) *Share { return &s.Changes },
	} {
		keys[name+".at_once"] = share(of, func(s *Share, v any) error { return whole(v, &s.AtOnce) })
		keys[name+".per_second"] = share(of, func(s *Share, v any) error { return positive(v, &s.PerSecond) })
		keys[name+".burst"] = share(of, func(s *Share, v any) error { return whole(v, &s.Burst) })
	}
	keys["client.connections"] = func(r *policyReader, v any) error { return whole(v, &r.opt.Service.ClientConns) }
	keys["upstream.wait"] = share(func(s *Service) *Share { return &s.Upstream }, func(s *Share, v any) error { return duration(v, &s.Wait) })
	return keys
}

// set sets a key.
func (r *policyReader) set(key []string, v any) error {
	name := strings.Join(key, ".")
	_, isTable := v.(map[string]any)
	var err error
	keys := policyKeys()
	set, known := keys[name]
	switch {
	case key[0] == "user":
		err = r.user(key, v)
	case known:
		err = set(r, v)
	case isTable && slices.ContainsFunc(slices.Collect(maps.Keys(keys)), func(k string) bool { return strings.HasPrefix(k, name+".") }):
		return nil
	default:
		return fmt.Errorf("unknown key %q; docs/gateway.md lists the keys", name)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// user sets a key of a user: [user.NAME].
func (r *policyReader) user(key []string, v any) error {
	_, isTable := v.(map[string]any)
	switch {
	case len(key) <= 2 && isTable:
		if len(key) == 2 {
			r.users[key[1]] = &User{Name: key[1]}
		}
		return nil
	case len(key) != 3:
		return errors.New(`must be a table, such as [user.ann]`)
	}
	u := r.users[key[1]]
	switch key[2] {
	case "password":
		return text(v, &u.Hash, isHash)
	case "may":
		var list []string
		err := texts(v, &list, func(s string) bool { return slices.Contains([]Right{MaySend, MayPost, MayPut}, Right(s)) })
		for _, s := range list {
			u.May = append(u.May, Right(s))
		}
		return orElse(err, `must be a list of "send", "post" and "put"`)
	}
	return errors.New("unknown key; a user has password and may")
}

func (r *policyReader) schemes(v any) error {
	var list []string
	if err := texts(v, &list, func(s string) bool { return s != "" && s == strings.ToLower(s) }); err != nil {
		return err
	}
	for _, name := range list {
		if _, ok := r.opt.Client.Registry.Lookup(name); !ok {
			return fmt.Errorf("there is no scheme %q; there are %s", name, strings.Join(r.opt.Client.Registry.Names(), ", "))
		}
	}
	r.policy.Schemes = list
	return nil
}

func (r *policyReader) folders(v any) error {
	var list []string
	if err := texts(v, &list, func(s string) bool { return s != "" }); err != nil {
		return err
	}
	for _, dir := range list {
		dir = r.absolute(dir)
		if in, err := os.Stat(dir); err != nil || !in.IsDir() {
			return fmt.Errorf("%s is not a folder", dir)
		}
		u, err := folderURL(dir)
		if err != nil {
			return err
		}
		r.opt.Folders = append(r.opt.Folders, u)
	}
	return nil
}

// folderURL returns the URL of a folder of this machine (RFC 1738 3.10).
func folderURL(dir string) (locator.URL, error) {
	var path strings.Builder
	for segment := range strings.SplitSeq(strings.Trim(filepath.ToSlash(dir), "/"), "/") {
		path.WriteString("/" + locator.Encode(segment))
	}
	return locator.Current.Parse("file://" + path.String())
}

// path sets a file or folder.
func (r *policyReader) path(v any, to *string) error {
	if err := text(v, to, func(s string) bool { return s != "" }); err != nil {
		return err
	}
	*to = r.absolute(*to)
	return nil
}

// absolute returns the absolute path of a file that the policy names.
func (r *policyReader) absolute(name string) string {
	if !filepath.IsAbs(name) {
		name = filepath.Join(filepath.Dir(r.file.Name()), name)
	}
	if abs, err := filepath.Abs(name); err == nil {
		return abs
	}
	return name
}

// orElse returns an error with another text, or nil if err is nil.
func orElse(err error, text string) error {
	if err == nil {
		return nil
	}
	return errors.New(text)
}

func text(v any, to *string, ok func(string) bool) error {
	s, isText := v.(string)
	if !isText {
		return errors.New("must be a text in quotes")
	}
	if !ok(s) {
		return fmt.Errorf("%q is not allowed here", s)
	}
	*to = s
	return nil
}

func texts(v any, to *[]string, ok func(string) bool) error {
	list, isList := v.([]any)
	if !isList {
		return errors.New("must be a list of texts")
	}
	*to = nil
	for _, x := range list {
		var s string
		if err := text(x, &s, ok); err != nil {
			return err
		}
		*to = append(*to, s)
	}
	return nil
}

func isHostName(s string) bool { return s != "" && !strings.ContainsAny(s, "/ \t\r\n@") }

func isHostPort(s string) bool {
	_, port, err := net.SplitHostPort(s)
	return err == nil && port != ""
}

func addressesOf(v any) (policy.Addresses, error) {
	switch v {
	case "any":
		return policy.Any, nil
	case "public":
		return policy.PublicOnly, nil
	}
	return 0, errors.New(`must be "any" or "public"`)
}

func portsOf(v any) (ports []uint16, err error) {
	list, ok := v.([]any)
	for _, x := range list {
		n, isNumber := x.(int64)
		if ok = ok && isNumber && n > 0 && n < 1<<16; ok {
			ports = append(ports, uint16(n))
		}
	}
	if !ok {
		return nil, errors.New("must be a list of ports from 1 to 65535")
	}
	return ports, nil
}

// networks sets a list of networks, such as 10.0.0.0/8, and addresses.
func networks(v any, to *[]netip.Prefix) error {
	var list []string
	if err := texts(v, &list, func(s string) bool { _, err := parseNet(s); return err == nil }); err != nil {
		return errors.New("must be a list of networks such as 10.0.0.0/8, and addresses")
	}
	*to = nil
	for _, s := range list {
		p, err := parseNet(s)
		if err != nil {
			return err
		}
		*to = append(*to, p)
	}
	return nil
}

func parseNet(s string) (netip.Prefix, error) {
	if a, err := netip.ParseAddr(s); err == nil && a.Zone() == "" {
		return netip.PrefixFrom(a, a.BitLen()), nil
	}
	return netip.ParsePrefix(s)
}

// size sets a number of bytes: a number, or a text such as "256M".
func size(v any, to *int64) error {
	if n, ok := v.(int64); ok && n > 0 {
		*to = n
		return nil
	}
	if s, ok := v.(string); ok {
		if n, ok := units.ParseSize(s); ok {
			*to = n
			return nil
		}
	}
	return errors.New(`must be a number of bytes over 0, such as 500, "500K", "2M" or "1GB"`)
}

// duration sets a duration: a number of seconds, or a text such as "1h30m".
func duration(v any, to *time.Duration) error {
	s := fmt.Sprint(v)
	switch v.(type) {
	case string, int64, float64:
		if d, ok := units.ParseDuration(s); ok && d > 0 {
			*to = d
			return nil
		}
	}
	return errors.New(`must be seconds over 0, such as 30, or a duration such as "2m" or "1h30m"`)
}

// whole sets a whole number over 0.
func whole(v any, to *int) error {
	n, ok := v.(int64)
	if !ok || n <= 0 || n > math.MaxInt32 {
		return errors.New("must be a whole number over 0")
	}
	*to = int(n)
	return nil
}

// positive sets a number over 0.
func positive(v any, to *float64) error {
	switch n := v.(type) {
	case int64:
		*to = float64(n)
	case float64:
		*to = n
	default:
		return errors.New("must be a number over 0")
	}
	if !(*to > 0 && *to <= 1e6) {
		return errors.New("must be a number over 0")
	}
	return nil
}
