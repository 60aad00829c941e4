package browser

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"

	"locator/scheme/telnet/telnettest"
)

// connect opens the page of a session, chooses a character set and connects.
func (t *Tab) connect(at, charset, state string) {
	t.t.Helper()
	t.Open(at)
	t.do(Script(`document.querySelector("#set").value = %q, document.querySelector("#connect").click(), 0`, charset))
	t.wait(fmt.Sprintf(`document.querySelector("#state").textContent.includes(%q)`, state))
}

// shows waits until a line of the terminal has a text.
func (t *Tab) shows(text string) {
	t.t.Helper()
	t.wait(fmt.Sprintf(`[...document.querySelectorAll(".xterm-rows > div")].some(row => row.textContent.replaceAll("\u00a0", " ").includes(%q))`, text))
}

// eventually waits until a condition holds.
func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(stepTime); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not after %v", what, stepTime)
		}
	}
}

// A person types in the terminal of a page: the server gets each key, its echo and its answers are shown in the character set that was
// chosen, and the size follows the window.
func TestTerminal(t *testing.T) {
	t.Parallel()
	const do, naws = 253, 31
	srv, err := telnettest.Start(telnettest.Character(), telnettest.Ask(do, naws))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(srv.Close)
	at := run(t, optionsFor(srv.URL()))
	tab := Start(t).Tab(t, Look{})
	tab.connect(at+"/"+srv.URL().Text(), "iso-8859-1", "Keys are sent as you press them")
	if got := tab.Name(); !strings.HasPrefix(got, "TEXTAREA") {
		t.Fatalf("the focus is on %s", got)
	}
	tab.do(Press("gr\u00fc\u00df"))
	eventually(t, "the keys, in ISO 8859-1", func() bool { return bytes.HasSuffix(srv.Received(), []byte("gr\xfc\xdf")) })
	tab.shows("gr\u00fc\u00df") // the echo of the server
	tab.do(Press(kb.Enter))
	tab.shows("you said: gr\u00fc\u00df")
	sizes := func() []string {
		return slices.DeleteFunc(srv.Events(), func(e string) bool { return !strings.HasPrefix(e, "SB NAWS ") })
	}
	eventually(t, "the size of the window", func() bool { return len(sizes()) > 0 })
	first := sizes()
	tab.See(Look{Width: 500, Height: 500})
	eventually(t, "the size of a smaller window", func() bool { return len(sizes()) > len(first) })
	var wide, narrow, high, low int
	fmt.Sscanf(first[len(first)-1], "SB NAWS %d %d", &wide, &high)
	fmt.Sscanf(slices.Concat(first, sizes())[len(first)+len(sizes())-1], "SB NAWS %d %d", &narrow, &low)
	if narrow >= wide || low >= high || narrow < 20 {
		t.Errorf("the window of %d by %d became %d by %d", wide, high, narrow, low)
	}
	tab.do(Press("size" + kb.Enter))
	tab.shows(fmt.Sprintf("your window is %d %d", narrow, low))
	tab.do(Script(`document.querySelector("[data-signal=are-you-there]").click(), 0`))
	tab.shows("[yes]")
	// Tab is a key of the terminal; Ctrl+M leaves it.
	tab.do(Press(kb.Tab))
	eventually(t, "Tab", func() bool { return bytes.HasSuffix(srv.Received(), []byte("\t")) })
	tab.do(Script(`document.querySelector("#terminal textarea").dispatchEvent(new KeyboardEvent("keydown", {key: "m", keyCode: 77, ctrlKey: true, bubbles: true})), 0`))
	if got := tab.Name(); !strings.Contains(got, "disconnect") {
		t.Errorf("Ctrl+M leads to %s", got)
	}
	tab.do(Press(kb.Enter))
	tab.wait(`document.querySelector("#state").textContent === "You have ended the session."`)
	tab.wait(`document.activeElement.id === "connect" && document.activeElement.textContent === "Connect again"`)
}

// A server that does not echo gets whole lines, which can be corrected.
func TestTerminalLines(t *testing.T) {
	t.Parallel()
	srv, err := telnettest.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(srv.Close)
	tab := Start(t).Tab(t, Look{Dark: true})
	tab.connect(run(t, optionsFor(srv.URL()))+"/"+srv.URL().Text(), "", "Lines are sent when you press Return")
	tab.do(Press("herom" + kb.Backspace + "n"))
	tab.shows("heron")
	if got := srv.Received(); bytes.Contains(got, []byte("her")) {
		t.Errorf("the server has got %q", got)
	}
	tab.do(Press(kb.Enter))
	tab.shows("you said: heron")
	tab.do(Press("exit" + kb.Enter))
	tab.shows("Bye")
	tab.wait(`document.querySelector("#connect").textContent === "Connect again"`)
}

// Text of an input method reaches the server once it is committed, and nothing of what it is composed of.
func TestTerminalInputMethod(t *testing.T) {
	t.Parallel()
	srv, err := telnettest.Start(telnettest.Character())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(srv.Close)
	tab := Start(t).Tab(t, Look{})
	tab.connect(run(t, optionsFor(srv.URL()))+"/"+srv.URL().Text(), "utf-8", "Keys are sent as you press them")
	before := len(srv.Received())
	for _, text := range []string{"s", "さ", "さg", "さぎ"} {
		n := int64(utf8.RuneCountInString(text))
		tab.do(call(input.ImeSetComposition, input.ImeSetCompositionParams{Text: text, SelectionStart: n, SelectionEnd: n}))
	}
	tab.do(call(input.InsertText, input.InsertTextParams{Text: "鷺"}))
	tab.shows("鷺")
	tab.do(Press("!"))
	eventually(t, "the text and a key", func() bool { return bytes.HasSuffix(srv.Received(), []byte("!")) })
	if got := string(srv.Received()[before:]); got != "鷺!" {
		t.Errorf("the server got %q", got)
	}
}
