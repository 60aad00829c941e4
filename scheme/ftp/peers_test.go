package ftp_test

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"locator"
	"locator/client"
	"locator/internal/peers"
	"locator/scheme"
	"locator/scheme/ftp"
)

// ftpPeers are the real servers, and the login for URLs on each.
var ftpPeers = []struct{ name, login string }{
	{"vsftpd", ""},
	{"proftpd", "alice:secret@"},
	{"pureftpd", "alice:secret@"},
}

// eachPeer runs a test against each real server. base is "ftp://login@host:port".
func eachPeer(t *testing.T, do func(t *testing.T, e *peers.Env, name, base string)) {
	t.Helper()
	for _, p := range ftpPeers {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			e := peers.Start(t, p.name)
			do(t, e, p.name, "ftp://"+p.login+e.Addr(t, p.name))
		})
	}
}

// TestPeersTree reads every readable file that a real server lists and compares it with the file on
// disk.
//
// Covers: A2, A4
func TestPeersTree(t *testing.T) {
	t.Parallel()
	eachPeer(t, func(t *testing.T, e *peers.Env, name, base string) {
		c := newClient(t)
		got := make(map[string]bool)
		var walk func(u locator.URL, dir string)
		walk = func(u locator.URL, dir string) {
			for entry, err := range client.Entries(c.List(t.Context(), scheme.Request{URL: u}, nil)) {
				if err != nil {
					t.Fatalf("list %s: %v", u.Redacted(), err)
				}
				path := dir + entry.Name
				switch {
				case name == "pureftpd" && strings.Contains(path, `\`): // it lists the name, but replies "553 Prohibited file name" to RETR
					got[path] = true
				case path == "private" || path == "incoming" || strings.HasSuffix(path, ".part"):
				case entry.Kind == scheme.KindListing:
					walk(entry.URL, path+"/")
				default:
					got[path] = true
					comparePeerFile(t, c, e, entry, path)
				}
			}
		}
		walk(locator.MustParse(base+"/"), "")
		err := fs.WalkDir(os.DirFS(e.Tree), ".", func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && (path == "private" || path == "incoming") {
				return fs.SkipDir
			}
			if err == nil && !d.IsDir() && !got[path] {
				t.Errorf("%q was not listed", path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

func comparePeerFile(t *testing.T, c *client.Client, e *peers.Env, entry scheme.Entry, path string) {
	t.Helper()
	want, err := os.ReadFile(filepath.Join(e.Tree, filepath.FromSlash(path)))
	if err != nil {
		t.Fatal(err)
	}
	res, err := c.Access(t.Context(), scheme.Request{URL: entry.URL}, &scheme.AccessOptions{Type: 'i'})
	if err != nil {
		t.Errorf("%q: %v", path, err)
		return
	}
	if got := drain(t, res); got != string(want) {
		t.Errorf("%q: got %.80q, want %.80q", path, got, want)
	}
	if n, ok := entry.Attr.Size.Get(); entry.Kind == scheme.KindObject && (!ok || n != int64(len(want))) {
		t.Errorf("%q: the listing has size %d, the file %d", path, n, len(want))
	}
	if info, err := os.Lstat(filepath.Join(e.Tree, filepath.FromSlash(path))); err == nil && !entry.Attr.Modified.Equal(info.ModTime().UTC()) {
		t.Errorf("%q: the listing has the time %v, the file %v", path, entry.Attr.Modified, info.ModTime().UTC())
	}
}

// TestPeersDigest compares the digest of a real server with that of the file on disk.
//
// Covers: A4
func TestPeersDigest(t *testing.T) {
	t.Parallel()
	e := peers.Start(t, "proftps")
	c := newClient(t, func(o *client.Options) {
		o.TLS, o.Logins = &tls.Config{InsecureSkipVerify: true}, []scheme.LoginFunc{asked(e.Password)} // TestConformancePeers checks the certificate
	})
	for _, path := range []string{"text.txt", "names/a%20b.txt", "bytes.bin"} {
		file, err := os.ReadFile(filepath.Join(e.Tree, strings.ReplaceAll(path, "%20", " ")))
		if err != nil {
			t.Fatal(err)
		}
		algorithm, got, err := c.Digest(t.Context(), scheme.Request{URL: locator.MustParse("ftp://alice@" + e.Addr(t, "proftps") + "/" + path)})
		if want := fmt.Sprintf("%x", sha256.Sum256(file)); err != nil || algorithm != "sha-256" || got != want {
			t.Errorf("%s: %s %s, %v; want %s", path, algorithm, got, err, want)
		}
	}
}

// TestPeersPaths sends the paths of RFC 1738 3.2.2 to proftpd, where alice starts inside the tree
// and can leave it.
//
// Covers: A1, A2
func TestPeersPaths(t *testing.T) {
	t.Parallel()
	e := peers.Start(t, "proftpd")
	addr := e.Addr(t, "proftpd")
	tree := strings.ReplaceAll(strings.TrimPrefix(e.Tree, "/"), "/", "%2F")
	motd, err := os.ReadFile(filepath.Join(e.Tree, "etc", "motd"))
	if err != nil {
		t.Fatal(err)
	}
	hostname, err := os.ReadFile("/etc/hostname")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path, body string
		note       string
	}{
		{"/%2Fetc/hostname", string(hostname), ""},
		{"/etc/motd", string(motd), ""},
		{"//etc/motd", string(motd), "refuses an empty CWD (501"},
		{"/etc//motd", string(motd), "refuses an empty CWD (501"},
		{"/etc%2Fmotd", string(motd), ""},
		{"/names/../etc/motd", string(motd), ""},
		{"/%2F" + tree + "/etc/motd", string(motd), ""},
		{"/etc/motd;type=a", string(motd), ""},
	} {
		var sent []string
		cl := newClient(t, func(o *client.Options) {
			o.Logins = []scheme.LoginFunc{asked(e.Password)}
			o.TLSMode = scheme.TLSOff
			o.Trace = &scheme.Trace{Sent: func(line string) { sent = append(sent, line) }}
		})
		u := locator.MustParse("ftp://alice@" + addr + c.path)
		res, err := cl.Access(t.Context(), scheme.Request{URL: u}, nil)
		if err != nil {
			t.Errorf("%s: %v", c.path, err)
			continue
		}
		if notes := strings.Join(res.Notes, "\n"); !strings.Contains(notes, c.note) || (c.note == "") != (notes == "") {
			t.Errorf("%s: notes %q", c.path, notes)
		}
		if got := drain(t, res); got != c.body {
			t.Errorf("%s: got %q", c.path, got)
		}
		want, err := ftp.New().Steps(u)
		if err != nil {
			t.Fatal(err)
		}
		want[2] = "PASS ****"
		if got := plainTrace(sent); !slices.Equal(got, want[1:]) {
			t.Errorf("%s: sent %q, want %q", c.path, got, want)
		}
	}
	e.WaitLog(t, "proftpd", "CWD /etc -> 250")
}

// TestPeersEmptyCWD checks the QUIRK of the empty segment with the servers that it names.
//
// Covers: A2
func TestPeersEmptyCWD(t *testing.T) {
	t.Parallel()
	eachPeer(t, func(t *testing.T, e *peers.Env, name, base string) {
		res, err := newClient(t).Access(t.Context(), scheme.Request{URL: locator.MustParse(base + "//etc/motd")}, nil)
		if err != nil {
			t.Fatal(err)
		}
		want, _ := os.ReadFile(filepath.Join(e.Tree, "etc", "motd"))
		if got := drain(t, res); got != string(want) {
			t.Errorf("got %q", got)
		}
		code := map[string]string{"vsftpd": "550", "proftpd": "501", "pureftpd": ""}[name]
		if notes := strings.Join(res.Notes, ""); code == "" && notes != "" || !strings.Contains(notes, code) {
			t.Errorf("notes %q", notes)
		}
	})
}

// TestPeersNames lists with NLST, and lists a directory whose URL lacks its final slash.
//
// Covers: A2, A4
func TestPeersNames(t *testing.T) {
	t.Parallel()
	eachPeer(t, func(t *testing.T, e *peers.Env, name, base string) {
		c := newClient(t)
		entries, err := os.ReadDir(filepath.Join(e.Tree, "names"))
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, x := range entries {
			want = append(want, x.Name())
		}
		for _, path := range []string{"/names;type=d", "/names/;type=d", "/names", "/names/"} {
			res, err := c.Access(t.Context(), scheme.Request{URL: locator.MustParse(base + path)}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if res.Kind != scheme.KindListing {
				t.Errorf("%s is a %s", path, res.Kind)
			}
			if slashNote := strings.Contains(strings.Join(res.Notes, ""), "ends in a slash"); slashNote != (path == "/names") {
				t.Errorf("%s: notes %q", path, res.Notes)
			}
			got := strings.Split(strings.TrimSuffix(drain(t, res), "\n"), "\n")
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", path, got, want)
			}
		}
		for path, code := range map[string]scheme.Code{
			"/nosuch": scheme.CodeNotFound, "/nosuch/": scheme.CodeNotFound, "/nosuch/x": scheme.CodeNotFound, "/text.txt/": scheme.CodeNotFound, "/private/secret.txt": 255,
		} {
			_, err := c.Access(t.Context(), scheme.Request{URL: locator.MustParse(base + path)}, nil)
			if got := client.CodeOf(err); got != code && !(code == 255 && (got == scheme.CodeNotFound || got == scheme.CodeLoginNeeded)) {
				t.Errorf("%s: %v, want code %v", path, err, code)
			}
		}
	})
}

// TestPeersAttributes compares attributes with the file on disk, and reads ranges.
//
// Covers: A4, A15
func TestPeersAttributes(t *testing.T) {
	t.Parallel()
	eachPeer(t, func(t *testing.T, e *peers.Env, name, base string) {
		c := newClient(t)
		info, err := os.Stat(filepath.Join(e.Tree, "bytes.bin"))
		if err != nil {
			t.Fatal(err)
		}
		content, _ := os.ReadFile(filepath.Join(e.Tree, "bytes.bin"))
		u := locator.MustParse(base + "/bytes.bin")
		attr, err := c.Attributes(t.Context(), scheme.Request{URL: u}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if n, ok := attr.Attr.Size.Get(); !ok || n != info.Size() || !attr.Attr.Modified.Equal(info.ModTime().UTC()) {
			t.Errorf("got %+v", attr)
		}
		for _, r := range []scheme.Range{{Offset: 5}, {Offset: 4000, Length: 50}, {Offset: 4096}, {Offset: 4095, Length: 1}, {Length: 7}} {
			res, err := c.Access(t.Context(), scheme.Request{URL: u}, &scheme.AccessOptions{Range: r})
			if err != nil {
				t.Errorf("%v: %v", r, err)
				continue
			}
			want := content[r.Offset:]
			if r.Length > 0 {
				want = want[:r.Length]
			}
			if got := drain(t, res); got != string(want) || res.Range != r {
				t.Errorf("%v: range %v, %d bytes, want %d", r, res.Range, len(got), len(want))
			}
		}
		if _, err := c.Access(t.Context(), scheme.Request{URL: u}, &scheme.AccessOptions{Range: scheme.Range{Offset: 5000}}); client.CodeOf(err) != scheme.CodeUsage {
			t.Errorf("after the end: %v", err)
		}
		for path, dir := range map[string]bool{"/names": true, "/names/": true, "/text.txt": false} {
			attr, err := c.Attributes(t.Context(), scheme.Request{URL: locator.MustParse(base + path)}, nil)
			if err != nil {
				t.Errorf("%s: %v", path, err)
				continue
			}
			isDir := slices.Contains(attr.Attr.More, scheme.Attribute{Name: "type", Value: "dir"})
			if _, sized := attr.Attr.Size.Get(); isDir != dir || sized == dir {
				t.Errorf("%s: %+v", path, attr)
			}
		}
		if _, err := c.Attributes(t.Context(), scheme.Request{URL: locator.MustParse(base + "/nosuch")}, nil); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("missing: %v", err)
		}
	})
}

// TestPeersUpload stores, replaces and appends, and stores under a name that the server chooses.
//
// Covers: A4, A15
func TestPeersUpload(t *testing.T) {
	t.Parallel()
	eachPeer(t, func(t *testing.T, e *peers.Env, name, base string) {
		c := newClient(t)
		incoming := filepath.Join(e.Tree, "incoming")
		file := "up \xe9" + strings.ToLower(rand.Text()[:8]) + ".txt"
		t.Cleanup(func() {
			left, _ := filepath.Glob(filepath.Join(incoming, file+"*"))
			for _, f := range left {
				os.Remove(f)
			}
		})
		u := locator.MustParse(base + "/incoming/up%20%E9" + file[4:])
		put := func(do func(scheme.Request, scheme.Body) (*scheme.Resource, error), content string) error {
			res, err := do(scheme.Request{URL: u}, scheme.Body{Reader: strings.NewReader(content), Size: scheme.Known(int64(len(content)))})
			if err == nil {
				res.Close()
			}
			return err
		}
		replace := func(r scheme.Request, b scheme.Body) (*scheme.Resource, error) {
			return c.Replace(t.Context(), r, b, nil)
		}
		update := func(r scheme.Request, b scheme.Body) (*scheme.Resource, error) {
			return c.Update(t.Context(), r, b, nil)
		}
		stored := func(want string) {
			t.Helper()
			got, err := os.ReadFile(filepath.Join(incoming, file))
			if err != nil || string(got) != want {
				t.Errorf("stored %q, %v, want %q", got, err, want)
			}
		}
		if err := put(replace, "one\r\ntwo\n"); err != nil {
			t.Fatal(err)
		}
		stored("one\r\ntwo\n")
		if name == "vsftpd" { // anonymous users may only create files
			if err := put(replace, "three"); client.CodeOf(err) != scheme.CodeLoginNeeded {
				t.Errorf("overwriting: %v", err)
			}
			stored("one\r\ntwo\n")
			return
		}
		if err := put(replace, "three"); err != nil {
			t.Fatal(err)
		}
		stored("three")
		if err := put(update, " four"); err != nil {
			t.Fatal(err)
		}
		stored("three four")
		res, err := c.Replace(t.Context(), scheme.Request{URL: locator.MustParse(base + "/incoming/")}, scheme.Body{Reader: strings.NewReader("unique"), Size: scheme.Known(6)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		view, _ := locator.As[*locator.FTP](res.URL)
		got, err := os.ReadFile(filepath.Join(incoming, view.Name.Or("")))
		if err != nil || string(got) != "unique" {
			t.Errorf("STOU: %s: %q, %v", res.URL.Redacted(), got, err)
		}
		os.Remove(filepath.Join(incoming, view.Name.Or("none")))
		left, _ := filepath.Glob(filepath.Join(incoming, file+"*.part"))
		if len(left) > 0 {
			t.Errorf("left behind: %q", left)
		}
	})
}

// TestPeersIAC reads a file whose name has the byte 255: vsftpd and pure-ftpd expect it unchanged,
// proftpd accepts both forms.
//
// Covers: A2, P2
func TestPeersIAC(t *testing.T) {
	t.Parallel()
	eachPeer(t, func(t *testing.T, e *peers.Env, name, base string) {
		dir := "iac\xffx" + strings.ToLower(rand.Text()[:8])
		path := filepath.Join(e.Tree, "incoming", dir)
		if err := os.Mkdir(path, 0o755); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.RemoveAll(path) })
		if err := os.WriteFile(filepath.Join(path, "ha\xff"+"y"), []byte("found"), 0o644); err != nil {
			t.Fatal(err)
		}
		u := locator.MustParse(base + "/incoming/iac%FF" + dir[4:] + "/ha%FFy")
		res, err := newClient(t).Access(t.Context(), scheme.Request{URL: u}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := drain(t, res); got != "found" {
			t.Errorf("got %q", got)
		}
	})
}

// TestPeersKept reads two hundred files over one login.
//
// Covers: A5
func TestPeersKept(t *testing.T) {
	t.Parallel()
	eachPeer(t, func(t *testing.T, e *peers.Env, name, base string) {
		logins := 0
		c := newClient(t, func(o *client.Options) {
			o.Trace = &scheme.Trace{Sent: func(line string) {
				if strings.HasPrefix(line, "USER ") {
					logins++
				}
			}}
		})
		n := 0
		for entry, err := range client.Entries(c.List(t.Context(), scheme.Request{URL: locator.MustParse(base + "/many/")}, nil)) {
			if err != nil {
				t.Fatal(err)
			}
			n++
			res, err := c.Access(t.Context(), scheme.Request{URL: entry.URL}, &scheme.AccessOptions{Type: 'i'})
			if err != nil {
				t.Fatal(err)
			}
			if got, want := drain(t, res), entry.Name[:3]+"\n"; got != want {
				t.Errorf("%s: %q", entry.Name, got)
			}
		}
		if n != 200 || logins > 2 { // the listing uses one connection, the files another
			t.Errorf("%d files, %d logins", n, logins)
		}
	})
}

// TestPeersAbandon closes a large body early with ABOR. The connection is still usable and kept.
//
// Covers: A5
func TestPeersAbandon(t *testing.T) {
	t.Parallel()
	eachPeer(t, func(t *testing.T, e *peers.Env, name, base string) {
		logins := 0
		c := newClient(t, func(o *client.Options) {
			o.Trace = &scheme.Trace{Sent: func(line string) {
				if strings.HasPrefix(line, "USER ") {
					logins++
				}
			}}
		})
		file := "big" + strings.ToLower(rand.Text()[:8])
		path := filepath.Join(e.Tree, "incoming", file)
		if err := os.WriteFile(path, bytes.Repeat([]byte("0123456789abcdef"), 1<<18), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Remove(path) })
		for range 3 {
			res, err := c.Access(t.Context(), scheme.Request{URL: locator.MustParse(base + "/incoming/" + file)}, nil)
			if err != nil {
				t.Fatal(err)
			}
			b := make([]byte, 10)
			if n, err := res.Body.Read(b); n == 0 || err != nil {
				t.Errorf("%d, %v", n, err)
			}
			if err := res.Close(); err != nil {
				t.Error(err)
			}
			res, err = c.Access(t.Context(), scheme.Request{URL: locator.MustParse(base + "/incoming/" + file)}, &scheme.AccessOptions{Range: scheme.Range{Offset: 16, Length: 16}})
			if err != nil {
				t.Fatal(err)
			}
			if got := drain(t, res); got != "0123456789abcdef" {
				t.Errorf("got %q", got)
			}
		}
		if logins != 1 {
			t.Errorf("%d logins: the connection was not kept", logins)
		}
	})
}

// vsftpd lists a directory that it may enter but not read as if it were empty, and says so only in
// the reply at the end.
//
// Covers: A2
func TestPeersUnreadableDirectory(t *testing.T) {
	t.Parallel()
	e, c := peers.Start(t, "vsftpd"), newClient(t)
	for _, path := range []string{"/private/", "/private/;type=d"} {
		var failed error
		for entry, err := range client.Entries(c.List(t.Context(), scheme.Request{URL: locator.MustParse("ftp://" + e.Addr(t, "vsftpd") + path)}, nil)) {
			if failed = err; err == nil {
				t.Errorf("%s: entry %q", path, entry.Name)
			}
		}
		if client.CodeOf(failed) != scheme.CodeLoginNeeded {
			t.Errorf("%s: %v", path, failed)
		}
	}
}
