/** The page at the root: asks for a key where one is needed, and shows the workflows with their pictures. */
export function homePage(version: string, mayRead: boolean): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Flowsheet</title>
<link rel="icon" href="favicon.ico">
<style>${HOME_STYLE}</style>
</head>
<body${mayRead ? " data-open" : ""}>
<header>
<h1>Flowsheet <small>${version}</small></h1>
<nav><a href="docs">Try it out</a> <a href="redoc">Reference</a> <a href="openapi.json">OpenAPI</a> <a href="health">Health</a></nav>
</header>
<main>
<form id="ask" hidden>
<label for="key">API key</label>
<input id="key" type="password" autocomplete="off" spellcheck="false">
<button>Show the workflows</button>
</form>
<p id="note" role="status"></p>
<div id="list"></div>
</main>
<script>${HOME_SCRIPT}</script>
</body>
</html>
`;
}

export const HOME_STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; --line: #8885; --soft: #888; }
body { margin: 0 auto; padding: 1rem; max-width: 60rem; overflow-wrap: anywhere; }
header { display: flex; flex-wrap: wrap; gap: .5rem 2rem; align-items: baseline; border-bottom: 1px solid var(--line); }
h1 { font-size: 1.4rem; margin: .5rem 0; }
small, .about { color: var(--soft); font-weight: normal; }
nav { display: flex; flex-wrap: wrap; gap: 0 1rem; }
[hidden] { display: none !important; }
form { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin: 1rem 0; }
input, button { font: inherit; padding: .4rem .6rem; max-width: 100%; box-sizing: border-box; }
section { border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; margin: 1rem 0; }
h2 { font-size: 1.1rem; margin: 0; }
p { margin: .5rem 0; }
.broken { color: #c00; }
.picture { overflow: auto; background: #fff; border-radius: .3rem; }
.picture img { display: block; max-width: 100%; height: auto; }
`;

export const HOME_SCRIPT = `
"use strict";
const find = (id) => document.getElementById(id);
const headers = (key, accept) => (key === "" ? { Accept: accept } : { Accept: accept, "X-API-Key": key });
const add = (parent, tag, text, className) => {
  const made = document.createElement(tag);
  if (text) made.textContent = text;
  if (className) made.className = className;
  parent.append(made);
  return made;
};

async function picture(box, name, key) {
  const path = "workflows/" + name.split("/").map(encodeURIComponent).join("/");
  const answer = await fetch(path, { headers: headers(key, "image/svg+xml") });
  if (!answer.ok) return;
  const image = add(box, "img");
  image.alt = "The graph of " + name;
  image.src = "data:image/svg+xml," + encodeURIComponent(await answer.text());
}

function show(workflow, key) {
  const box = add(find("list"), "section");
  add(box, "h2", workflow.name);
  if (workflow.description) add(box, "p", workflow.description);
  const inputs = workflow.inputs.length === 0 ? "no inputs" : "takes " + workflow.inputs.join(", ");
  add(box, "p", workflow.sheet + ", " + workflow.nodes + " nodes, " + inputs, "about");
  if (!workflow.valid) add(box, "p", "Its sheet has errors: it cannot run.", "broken");
  picture(add(box, "div", "", "picture"), workflow.name, key);
}

async function load(key) {
  const answer = await fetch("workflows?limit=100", { headers: headers(key, "application/json") });
  const body = await answer.json();
  find("list").replaceChildren();
  find("ask").hidden = answer.ok;
  if (!answer.ok) {
    find("note").textContent = key === "" ? "A key that may read shows the workflows." : body.title + ".";
    return;
  }
  const more = body.total > body.workflows.length ? " The first " + body.workflows.length + ":" : "";
  find("note").textContent = (body.total === 1 ? "1 workflow." : body.total + " workflows.") + more;
  for (const workflow of body.workflows) show(workflow, key);
}

find("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  load(find("key").value.trim());
});
if (document.body.dataset.open === undefined) {
  find("ask").hidden = false;
  find("note").textContent = "A key that may read shows the workflows.";
} else load("");
`;
