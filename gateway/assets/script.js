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
