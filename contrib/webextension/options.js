// The page with the address of the gateway.
"use strict";

(() => {
  const api = globalThis.browser ?? globalThis.chrome;
  const field = document.getElementById("gateway"), state = document.getElementById("state");

  api.storage.local.get({ gateway: "http://127.0.0.1:1738" }).then((kept) => { field.value = kept.gateway; });
  document.getElementById("form").addEventListener("submit", (event) => {
    event.preventDefault();
    const address = new URL(field.value);
    if (address.protocol !== "http:" && address.protocol !== "https:") {
      state.textContent = "The address must begin with http:// or https://.";
      return;
    }
    api.storage.local.set({ gateway: address.origin }).then(() => {
      field.value = address.origin;
      state.textContent = "Kept.";
    });
  });
})();
