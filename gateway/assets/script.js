// Everything works without this script. It adds the button that copies a URL, and tells of a fragment that the browser keeps.
"use strict";

for (const button of document.querySelectorAll("button.copy")) {
  if (!navigator.clipboard) break;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy URL"; }, 1500);
  });
}

const kept = location.hash;
const notice = document.getElementById("fragment");
if (notice && kept.length > 1 && !location.pathname.startsWith("/-/") && !document.getElementById(kept.slice(1))) {
  const whole = (location.pathname + location.search).slice(1) + kept;
  notice.querySelector("a").href = "/-/go?url=" + encodeURIComponent(whole);
  notice.hidden = false;
}

// Messages that were not read are marked. The browser keeps the last message-ids that it showed.
const readKey = "locator-read", maxRead = 5000;
let readIDs = [];
try { readIDs = JSON.parse(localStorage.getItem(readKey)) || []; } catch { /* no storage */ }
if (!Array.isArray(readIDs)) readIDs = [];
const shownMessage = document.getElementById("message");
if (shownMessage && !readIDs.includes(shownMessage.dataset.id)) {
  readIDs.push(shownMessage.dataset.id);
  try { localStorage.setItem(readKey, JSON.stringify(readIDs.slice(-maxRead))); } catch { /* no storage */ }
}
const wasRead = new Set(readIDs);
for (const message of document.querySelectorAll("a.message")) {
  if (!message.dataset.id || wasRead.has(message.dataset.id)) continue;
  for (let item = message.parentElement; item; item = item.parentElement.closest("li")) item.classList.add("unread");
  const word = document.createElement("span");
  word.className = "hidden";
  word.textContent = " (unread)";
  message.after(word);
}
