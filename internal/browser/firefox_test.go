package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
)

// firefox is a Firefox that is driven by WebDriver BiDi.
type firefox struct {
	t    *testing.T
	cmd  *exec.Cmd
	conn *websocket.Conn
	last int
}

// startFirefox starts Firefox with a profile.
func startFirefox(t *testing.T, profile string) *firefox {
	t.Helper()
	f := &firefox{t: t, cmd: exec.Command("firefox-esr", "--headless", "--no-remote", "--remote-debugging-port", "0", "--profile", profile)}
	f.cmd.Env = append(os.Environ(), "HOME="+profile)
	if err := f.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.cmd.Process.Kill(); f.cmd.Wait() })
	var server struct {
		Host string `json:"ws_host"`
		Port int    `json:"ws_port"`
	}
	eventually(t, "Firefox listens", func() bool {
		text, err := os.ReadFile(filepath.Join(profile, "WebDriverBiDiServer.json"))
		return err == nil && json.Unmarshal(text, &server) == nil && server.Port > 0
	})
	ctx, cancel := context.WithTimeout(t.Context(), stepTime)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, fmt.Sprintf("ws://%s:%d/session", server.Host, server.Port), nil)
	if err != nil {
		t.Fatal(err)
	}
	conn.SetReadLimit(16 << 20)
	f.conn = conn
	t.Cleanup(func() { conn.CloseNow() })
	f.call("session.new", map[string]any{"capabilities": map[string]any{}}, nil)
	return f
}

// call sends a command and waits for its result.
func (f *firefox) call(method string, params, result any) {
	f.t.Helper()
	ctx, cancel := context.WithTimeout(f.t.Context(), stepTime)
	defer cancel()
	f.last++
	if err := wsjson.Write(ctx, f.conn, map[string]any{"id": f.last, "method": method, "params": params}); err != nil {
		f.t.Fatal(err)
	}
	for {
		var m struct {
			ID      int             `json:"id"`
			Result  json.RawMessage `json:"result"`
			Message string          `json:"message"`
			Error   string          `json:"error"`
		}
		if err := wsjson.Read(ctx, f.conn, &m); err != nil {
			f.t.Fatal(err)
		}
		if m.ID != f.last {
			continue // an event
		}
		if m.Error != "" {
			f.t.Fatalf("%s: %s: %s", method, m.Error, m.Message)
		}
		if result != nil {
			if err := json.Unmarshal(m.Result, result); err != nil {
				f.t.Fatal(err)
			}
		}
		return
	}
}

// extension returns a copy of the extension for a gateway at another address.
func extension(t *testing.T, at string) string {
	t.Helper()
	from, to := "../../contrib/webextension", t.TempDir()
	files, err := os.ReadDir(from)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range files {
		text, err := os.ReadFile(filepath.Join(from, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(to, e.Name()), []byte(strings.ReplaceAll(string(text), "http://127.0.0.1:1738", at)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return to
}

// The extension makes the gateway one of the programs of Firefox for gopher and others by its protocol_handlers. Firefox asks a person
// which program opens the first gopher URL; WebDriver BiDi refuses to navigate to one.
func TestFirefox(t *testing.T) {
	if !long {
		return
	}
	s := serve(t)
	folder, profile := extension(t, s.at), t.TempDir()
	f := startFirefox(t, profile)
	f.call("webExtension.install", map[string]any{"extensionData": map[string]any{"type": "path", "path": folder}}, nil)
	// What Firefox knows of programs is written when it changes, and removed with the extension, which is temporary.
	type program struct {
		Name     string `json:"name"`
		Template string `json:"uriTemplate"`
	}
	var known struct {
		Schemes map[string]struct {
			Handlers []*program `json:"handlers"`
		} `json:"schemes"`
	}
	template := s.at + "/-/go?url=%s"
	has := func(scheme string) bool {
		for _, p := range known.Schemes[scheme].Handlers {
			if p != nil && p.Template == template {
				return true
			}
		}
		return false
	}
	file := filepath.Join(profile, "handlers.json")
	eventually(t, "the programs for schemes", func() bool {
		text, err := os.ReadFile(file)
		return err == nil && json.Unmarshal(text, &known) == nil && has("gopher") && has("mailto")
	})
	for _, scheme := range []string{"ftp", "gopher", "news", "nntp", "mailto"} {
		if !has(scheme) {
			t.Errorf("the gateway is not a program for %s", scheme)
		}
	}
	f.clicks(s.at, links(t).URL)
	f.call("browser.close", map[string]any{}, nil)
	f.cmd.Wait()
}

// clicks clicks each link of a page, as a person does. Each leads to the page of exactly its URL in the gateway.
func (f *firefox) clicks(gateway, page string) {
	f.t.Helper()
	var tab struct {
		Context string `json:"context"`
	}
	f.call("browsingContext.create", map[string]any{"type": "tab"}, &tab)
	eval := func(expression string) string {
		var r struct {
			Result struct {
				Value string `json:"value"`
			} `json:"result"`
		}
		f.call("script.evaluate", map[string]any{"expression": "String(" + expression + ")", "target": map[string]any{"context": tab.Context}, "awaitPromise": false}, &r)
		return r.Result.Value
	}
	for i, u := range linked {
		f.call("browsingContext.navigate", map[string]any{"context": tab.Context, "url": page + "/", "wait": "complete"}, nil)
		var x, y float64
		if _, err := fmt.Sscan(eval(fmt.Sprintf(`(r => (r.left + r.width / 2) + " " + (r.top + r.height / 2))(document.querySelector("#l%d b").getBoundingClientRect())`, i)), &x, &y); err != nil {
			f.t.Fatal(err)
		}
		f.call("input.performActions", map[string]any{"context": tab.Context, "actions": []any{map[string]any{"type": "pointer", "id": "mouse", "actions": []any{
			map[string]any{"type": "pointerMove", "x": int(x), "y": int(y)}, map[string]any{"type": "pointerDown", "button": 0}, map[string]any{"type": "pointerUp", "button": 0},
		}}}}, nil)
		eventually(f.t, "a page of the gateway for "+u, func() bool {
			return strings.HasPrefix(eval("location.href"), gateway) && eval("document.readyState") == "complete"
		})
		if got := eval(`document.querySelector("#url").value`); got != u && got != strings.Replace(u, "WAIS:", "wais:", 1) {
			f.t.Errorf("a click on %s leads to %s", u, got)
		}
	}
}
