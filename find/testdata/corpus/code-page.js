// ==UserScript==
// @namespace   ⟦bare¦https://www.example.org/ns⟧
// @include     ⟦any¦http*://*.example.org/*⟧
// @match       ⟦any¦*://www.example.org/*⟧
// @require     ⟦bare¦https://cdn.example.org/jquery/1.12.4/jquery.min.js⟧
// ==/UserScript==
/* eslint no-undef: "off" */ /** @see {@link ⟦bare¦https://www.example.org/jsdoc⟧|docs} @param {⟦not¦file:x⟧} */
import x from '⟦bare¦https://cdn.example.org/x.mjs⟧'; import fs from '⟦not¦node:fs⟧';
const a = {⟦not¦http:1⟧, ⟦not¦'ftp':2⟧, news⟦not¦: [ ]⟧, ⟦not¦file:'x'⟧, url:'⟦bare¦https://www.example.org/u⟧',base:`⟦bare¦https://www.example.org/t⟧`};
location.href=ok?'⟦bare¦https://www.example.org/yes⟧':'⟦bare¦https://www.example.org/no⟧'; var p = ('⟦not¦https:⟧' == document.location.protocol ? '⟦any¦https://ssl⟧' : '⟦any¦http://www⟧') + '.example.org/ga.js';
window.open("⟦not¦javascript:void(0)⟧"); fetch(`⟦any¦https://api.example.org/${id}/x?y=${z}⟧`); $('a[href^="⟦not¦mailto:⟧"],a⟦not¦:hover⟧,input⟦not¦:file⟧').x();
if(/^⟦not¦https?:\/\/⟧/.test(u)) u = u.replace("⟦bare¦http:\/\/www.example.org\/old¦http://www.example.org/old⟧", ''); //# sourceMappingURL=⟦bare¦https://cdn.example.org/x.js.map⟧
type News = { ⟦not¦file:File⟧; constructor(private ⟦not¦http:HttpClient⟧) } // TODO(kim): ⟦bare¦https://bugs.example.org/1⟧; see ⟦angled¦<https://bugs.example.org/2>⟧
document.write("<script src='⟦bare¦https://cdn.example.org/w.js⟧'><\/script>"); throw new Error("⟦not¦file: not found⟧")
