// The page of a session: a terminal that is connected by a WebSocket. The messages are described in gateway/terminal.go.
"use strict";

(() => {
  const byId = (id) => document.getElementById(id);
  const box = byId("terminal"), form = byId("session"), panel = byId("panel"), state = byId("state"), connect = byId("connect"), disconnect = byId("disconnect");
  const nonce = document.currentScript.nonce;
  const ackEvery = 64 << 10; // bytes between two reports of what was shown
  let terminal, fit, socket, received, shown, reported, leaving;

  // xterm.js makes <style> elements and style attributes, which the policy of this page does not allow. The elements get the nonce of
  // the page; attributes are set as properties, which are allowed.
  const createElement = document.createElement;
  document.createElement = function (name, options) {
    const element = createElement.call(this, name, options);
    if (element instanceof HTMLStyleElement) element.nonce = nonce;
    return element;
  };
  const setAttribute = Element.prototype.setAttribute;
  Element.prototype.setAttribute = function (name, value) {
    if (name === "style") this.style.cssText = value;
    else setAttribute.call(this, name, value);
  };

  const tell = (text) => { state.textContent = text; };
  const send = (message) => {
    if (socket && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };
  const colours = () => {
    const style = getComputedStyle(document.documentElement), of = (name) => style.getPropertyValue(name).trim();
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    return { background: of("--back"), foreground: of("--text"), cursor: of("--text"), cursorAccent: of("--back"), selectionBackground: dark ? "#3d5a80" : "#b5d3f7" };
  };

  async function open() {
    const [{ Terminal }, { FitAddon }] = await Promise.all([import(box.dataset.xterm), import(box.dataset.fit)]);
    terminal = new Terminal({
      convertEol: false, cursorBlink: false, fontFamily: "ui-monospace, monospace", fontSize: 15, minimumContrastRatio: 4.5, scrollback: 5000,
      screenReaderMode: byId("reader").checked, theme: colours(), linkHandler: { activate() {} },
    });
    fit = new FitAddon();
    terminal.loadAddon(fit);
    terminal.open(box);
    terminal.textarea.setAttribute("aria-label", "Terminal");
    terminal.textarea.setAttribute("aria-describedby", "keys");
    terminal.attachCustomKeyEventHandler((event) => {
      if (!event.ctrlKey || event.altKey || event.metaKey || event.key.toLowerCase() !== "m") return true;
      event.preventDefault();
      if (event.type === "keydown") disconnect.focus();
      return false;
    });
    terminal.onData((text) => {
      for (let characters = Array.from(text); characters.length > 0;) send({ input: characters.splice(0, 8192).join("") });
    });
    terminal.onResize((size) => send({ size: [size.cols, size.rows] }));
    new ResizeObserver(() => fit.fit()).observe(box);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { terminal.options.theme = colours(); });
    byId("reader").addEventListener("change", (event) => { terminal.options.screenReaderMode = event.target.checked; });
  }

  // output shows bytes. The gateway stops sending when too many of them wait.
  function output(bytes) {
    received += bytes.length;
    const mine = socket;
    terminal.write(bytes, () => {
      if (mine !== socket) return;
      shown += bytes.length;
      if (shown - reported >= ackEvery || shown === received) send({ shown: reported = shown });
    });
  }

  function status(message) {
    if (message.connected) tell("Connected.");
    if (message.mode) tell(message.mode === "line" ? "Connected. Lines are sent when you press Return." : "Connected. Keys are sent as you press them.");
    if (message.end) { leaving = message.end; }
  }

  async function start() {
    connect.disabled = true;
    panel.hidden = false;
    byId("idle").hidden = true;
    tell("Connecting…");
    try {
      if (!terminal) await open();
    } catch (error) {
      tell("The terminal cannot be loaded: " + error.message);
      connect.disabled = false;
      return;
    }
    terminal.reset();
    fit.fit();
    received = shown = reported = 0;
    leaving = "";
    socket = new WebSocket((location.protocol === "https:" ? "wss://" : "ws://") + location.host + box.dataset.socket);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      send({ token: box.dataset.token, charset: byId("set").value, size: [terminal.cols, terminal.rows] });
      terminal.focus();
    };
    socket.onmessage = (event) => {
      if (typeof event.data === "string") status(JSON.parse(event.data));
      else output(new Uint8Array(event.data));
    };
    socket.onclose = () => {
      const inside = box.contains(document.activeElement) || document.activeElement === disconnect;
      tell(leaving || "The connection to the gateway was closed.");
      connect.disabled = false;
      connect.textContent = "Connect again";
      disconnect.disabled = true;
      if (inside) connect.focus();
    };
    disconnect.disabled = false;
  }

  form.hidden = false;
  form.addEventListener("submit", (event) => { event.preventDefault(); start(); });
  disconnect.addEventListener("click", () => { leaving = "You have ended the session."; socket.close(); });
  for (const button of document.querySelectorAll("[data-signal]")) {
    button.addEventListener("click", () => { send({ signal: button.dataset.signal }); terminal.focus(); });
  }
})();
