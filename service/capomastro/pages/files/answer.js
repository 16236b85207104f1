// Shows the answer of the referee on this device where the address of a resource was opened as a page.

import "./offline.js";

const asked = new URL(new URLSearchParams(location.search).get("of") ?? "", location.href);
const answer = document.querySelector("pre");
if (answer) answer.textContent = await (await fetch(asked.pathname + asked.search)).text();
