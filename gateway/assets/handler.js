// The page on which a browser registers the gateway for the links of a scheme.
"use strict";

(() => {
  // What the HTML standard lets pages register, of our schemes; and what browsers open themselves.
  const allowed = ["ftp", "ftps", "mailto", "news", "nntp"], own = ["http", "https", "file"];
  const table = document.getElementById("handlers"), state = document.getElementById("state");
  const address = location.origin + table.dataset.open + "%s";
  const can = typeof navigator.registerProtocolHandler === "function", cannot = "This browser has no way to do that. See the other ways.";
  if (!window.isSecureContext) state.textContent = "Browsers allow this only at addresses with https, and on this computer: http://127.0.0.1 and http://localhost.";
  else if (!can) state.textContent = cannot;

  const ask = (scheme, act, said) => {
    try {
      act.call(navigator, scheme, address);
      state.textContent = said;
    } catch (error) {
      state.textContent = "The browser refuses " + scheme + ": " + error.message;
    }
  };
  for (const row of table.querySelectorAll("[data-scheme]")) {
    const scheme = row.dataset.scheme, [open, undo] = row.querySelectorAll("button"), note = row.querySelector("span");
    if (own.includes(scheme)) {
      note.textContent = "The browser opens them itself.";
    } else if (!can || !allowed.includes(scheme)) {
      note.textContent = "Browsers allow no page to do that. The extension can, and so can the whole desktop.";
    } else {
      open.hidden = false;
      open.addEventListener("click", () => ask(scheme, navigator.registerProtocolHandler, "If the browser asks, allow it to open " + scheme + " links here. If it does not ask, it was allowed or refused before."));
      if (typeof navigator.unregisterProtocolHandler === "function") {
        undo.hidden = false;
        undo.addEventListener("click", () => ask(scheme, navigator.unregisterProtocolHandler, scheme + " links no longer open here."));
      }
    }
  }
})();
