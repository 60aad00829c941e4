// Opens clicked links of schemes that the browser does not have in a Locator gateway. It navigates the tab, and never fetches or frames.
"use strict";

(() => {
  const schemes = ["ftp:", "ftps:", "gopher:", "gophers:", "news:", "snews:", "nntp:", "nntps:", "telnet:", "telnets:", "wais:", "prospero:"];
  const api = globalThis.browser ?? globalThis.chrome;
  let gateway = "http://127.0.0.1:1738";

  api.storage.local.get({ gateway }).then((kept) => { gateway = kept.gateway; });
  api.storage.onChanged.addListener((changes) => {
    if (changes.gateway) gateway = changes.gateway.newValue ?? gateway;
  });

  // urlOf returns the URL of a link as its author wrote it: the browser would change some of them.
  const urlOf = (link) => {
    const written = (link.getAttribute("href") ?? link.getAttributeNS("http://www.w3.org/1999/xlink", "href") ?? "").trim().replace(/[\t\n\r]/g, "");
    const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(written);
    return scheme && schemes.includes(scheme[0].toLowerCase()) ? written : "";
  };

  const follow = (event) => {
    if (!event.isTrusted || event.defaultPrevented || event.button > 1) return;
    const link = event.composedPath().find((x) => x instanceof Element && (x.localName === "a" || x.localName === "area"));
    const url = link ? urlOf(link) : "";
    if (!url) return;
    event.preventDefault();
    const page = gateway + "/-/go?url=" + encodeURIComponent(url);
    if (event.button === 1 || event.ctrlKey || event.metaKey || event.shiftKey || link.target === "_blank") window.open(page, "_blank", "noopener");
    else window.top.location.href = page; // which a frame may set
  };
  window.addEventListener("click", follow);
  window.addEventListener("auxclick", follow);
})();
