package browser

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// stepTime bounds each action in a tab. It is long, since other tests may run on the machine.
const stepTime = 60 * time.Second

// Chromium is a running browser.
type Chromium struct{ ctx context.Context }

// quiet are flags that leave out work of which a page shows nothing. A navigation within a site keeps its process: the cache for going
// back and forward would start another one.
var quiet = map[string]any{
	"disable-features":       "Translate,BackForwardCache,ProactivelySwapBrowsingInstance,IsolateOrigins,site-per-process,RenderDocument,OptimizationHints,MediaRouter,AudioServiceOutOfProcess,PaintHolding",
	"renderer-process-limit": "1", "disable-component-update": true, "disable-domain-reliability": true, "disable-sync": true, "no-pings": true, "disable-lcd-text": true,
	"disable-dev-shm-usage": true, "autoplay-policy": "no-user-gesture-required",
}

// startChromium starts a browser. It fails the test if there is none.
func startChromium(t testing.TB) *Chromium {
	t.Helper()
	// A short run has the browser without its windows, which does the same for a third of the time.
	names := []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"}
	if long {
		names = append(names[1:], names[0])
	}
	path := os.Getenv("LOCATOR_CHROMIUM")
	for _, name := range names {
		if found, err := exec.LookPath(name); err == nil && path == "" {
			path = found
		}
	}
	if path == "" {
		t.Fatal("there is no Chromium; internal/browser/run installs it")
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.WSURLReadTimeout(stepTime))
	for name, value := range quiet {
		opts = append(opts, chromedp.Flag(name, value))
	}
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), opts...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("Chromium does not start: %v", err)
	}
	return &Chromium{ctx}
}

// Look is how a tab is seen.
type Look struct {
	Width, Height int64   // of the window, in CSS pixels; by default 1280 by 900
	Zoom          float64 // device pixels per CSS pixel
	Dark          bool
	NoScript      bool
	Media         string // "print" for paper
}

// Tab is a tab. Its methods fail the test. What its pages do that their content security policy forbids, and errors of scripts, fail
// it, too.
type Tab struct {
	t    testing.TB
	ctx  context.Context
	seen *events
}

// events is what happened in a tab.
type events struct {
	mu     sync.Mutex
	wrong  []string
	status int64 // of the last document
}

// Tab opens a tab, which is closed when the test ends.
func (c *Chromium) Tab(t testing.TB, look Look) *Tab {
	t.Helper()
	tab := &Tab{t: t, seen: new(events)}
	ctx, cancel := chromedp.NewContext(c.ctx, chromedp.WithNewBrowserContext(), chromedp.WithListener(tab.seen.add))
	tab.ctx = ctx
	if err := chromedp.Do(ctx); err != nil { // the tab lives as long as the context of the first call
		t.Fatal(err)
	}
	tab.do(call(log.Enable, cdp.Empty{}), call(network.Enable, network.EnableParams{}), call(runtime.Enable, cdp.Empty{}),
		call(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: look.NoScript}))
	tab.See(look)
	t.Cleanup(func() {
		for _, text := range tab.problems() {
			t.Error(text)
		}
		cancel()
	})
	return tab
}

// of returns the tab for a subtest, which fails if its pages do something wrong.
func (t *Tab) of(sub testing.TB) *Tab {
	sub.Cleanup(func() {
		for _, text := range t.problems() {
			sub.Error(text)
		}
	})
	return &Tab{t: sub, ctx: t.ctx, seen: t.seen}
}

// Step is something that is done in a tab.
type Step = chromedp.Action[chromedp.Void]

// call returns the step of sending a command of the DevTools protocol.
func call[P, R any](command cdp.Command[P, R], params P) Step {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, command, params)
		return err
	})
}

// add collects what a page does wrong.
func (t *events) add(event any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch e := event.(type) {
	case *log.EventEntryAdded:
		if e.Entry.Source == log.EntrySourceSecurity || e.Entry.Source == log.EntrySourceJavascript || strings.Contains(e.Entry.Text, "Content Security Policy") {
			t.wrong = append(t.wrong, e.Entry.Text)
		}
	case *runtime.EventExceptionThrown:
		t.wrong = append(t.wrong, exception(e.ExceptionDetails))
	case *network.EventResponseReceived:
		if e.Type == network.ResourceTypeDocument {
			t.status = e.Response.Status
		}
	}
}

// exception returns the text of an error of a script.
func exception(d *runtime.ExceptionDetails) string {
	if d.Exception != nil && d.Exception.Description != "" {
		return d.Exception.Description
	}
	return d.Text
}

// problems returns what pages did wrong since the last call.
func (t *Tab) problems() []string {
	t.seen.mu.Lock()
	defer t.seen.mu.Unlock()
	list := t.seen.wrong
	t.seen.wrong = nil
	return list
}

// Status returns the HTTP status of the last document.
func (t *Tab) Status() int64 {
	t.seen.mu.Lock()
	defer t.seen.mu.Unlock()
	return t.seen.status
}

func (t *Tab) do(steps ...Step) {
	t.t.Helper()
	ctx, cancel := context.WithTimeout(t.ctx, stepTime)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		t.t.Fatal(err)
	}
}

// See changes how the tab is seen.
func (t *Tab) See(l Look) {
	t.t.Helper()
	colour := "light"
	if l.Dark {
		colour = "dark"
	}
	t.do(call(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: cmp.Or(l.Width, 1280), Height: cmp.Or(l.Height, 900), DeviceScaleFactor: cmp.Or(l.Zoom, 1),
	}), call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Media: l.Media, Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: colour}},
	}))
}

// Open opens an address and waits until it is loaded.
func (t *Tab) Open(address string) {
	t.t.Helper()
	t.do(chromedp.Navigate(address))
}

// After does what leads to another page, and waits until that is loaded.
func (t *Tab) After(steps ...Step) {
	t.t.Helper()
	ctx, cancel := context.WithTimeout(t.ctx, stepTime)
	defer cancel()
	if _, err := chromedp.RunResponse(ctx, steps...); err != nil {
		t.t.Fatalf("no page follows: %v", err)
	}
}

// Press returns the step of pressing keys.
func Press(keys string) Step { return chromedp.KeyEvent(keys) }

// Script returns the step of running a script.
func Script(format string, args ...any) Step {
	return chromedp.Evaluate[chromedp.Void](fmt.Sprintf(format, args...))
}

// Eval returns the text of a JavaScript expression. Promises are awaited.
func (t *Tab) Eval(expression string) string {
	t.t.Helper()
	ctx, cancel := context.WithTimeout(t.ctx, stepTime)
	defer cancel()
	result, err := chromedp.Run(ctx, chromedp.Evaluate[string]("(async () => String(await ("+expression+")))()", chromedp.EvalAwaitPromise))
	if err != nil {
		t.t.Fatalf("%.200s: %v", expression, err)
	}
	return result
}

// wait waits until a JavaScript expression is true.
func (t *Tab) wait(expression string) {
	t.t.Helper()
	for end := time.Now().Add(stepTime); t.Eval(expression) != "true"; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.t.Fatalf("%s stays false at %s", expression, t.Eval("location.href"))
		}
	}
}

// Text returns the text of the first element that a CSS selector selects, or "".
func (t *Tab) Text(selector string) string {
	t.t.Helper()
	return t.Eval(fmt.Sprintf("document.querySelector(%q)?.textContent ?? ''", selector))
}

// Screenshot saves a picture of the whole page in the folder that LOCATOR_SCREENSHOTS names, if it is set.
func (t *Tab) Screenshot(name string) {
	t.t.Helper()
	dir := os.Getenv("LOCATOR_SCREENSHOTS")
	if dir == "" {
		return
	}
	ctx, cancel := context.WithTimeout(t.ctx, stepTime)
	defer cancel()
	picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err != nil {
		t.t.Fatal(err)
	}
	if err := os.WriteFile(dir+"/"+name+".png", picture, 0o600); err != nil {
		t.t.Fatal(err)
	}
}

// Print returns the page as PDF.
func (t *Tab) Print() []byte {
	t.t.Helper()
	ctx, cancel := context.WithTimeout(t.ctx, stepTime)
	defer cancel()
	pdf, err := chromedp.Run(ctx, chromedp.PrintToPDF())
	if err != nil {
		t.t.Fatal(err)
	}
	return pdf
}

// Name returns the accessible name and role of the element with the focus, as a screen reader says them.
func (t *Tab) Name() string {
	t.t.Helper()
	return t.Eval(`(e => (e.tagName + " " + (e.id || e.name || "") + " " + (e.labels?.[0]?.textContent || e.textContent || "").trim().slice(0, 60)))(document.activeElement)`)
}
