/** The style of the pages, for light and dark screens, narrow ones and paper. */
export const STYLE = `:root{color-scheme:light dark;--ground:#fff;--panel:#f6f7f9;--line:#dfe3e8;--text:#1a1f25;--soft:#56606c;--accent:#1f5fd0}
@media (prefers-color-scheme:dark){:root{--ground:#0f1318;--panel:#181d24;--line:#2b333d;--text:#e6ebf0;--soft:#a0abb7;--accent:#7aaaff}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:16px/1.55 system-ui,sans-serif}
main{max-width:60rem;margin:0 auto;padding:1.5rem 1rem 4rem}
h1{font-size:1.75rem;line-height:1.2;margin:.5rem 0}
h2{font-size:1.2rem;margin:2.5rem 0 .75rem}
h3{font-size:1rem;margin:0}
p{margin:.4rem 0}
a{color:var(--accent)}
nav,.soft,dt,caption{color:var(--soft)}
nav,.soft,dd,dt,td,th,caption{font-size:.875rem}
caption{text-align:left;padding:.25rem 0}
code,pre{font:.8125rem/1.5 ui-monospace,monospace}
pre{margin:.5rem 0 0;padding:.75rem;background:var(--ground);border:1px solid var(--line);border-radius:6px;white-space:pre-wrap;overflow-wrap:anywhere}
.wide,figure{overflow-x:auto;margin:0}
figure svg{display:block;max-width:max(100%,44rem);height:auto}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.4rem .75rem .4rem 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
th{font-weight:600}
th,td code{overflow-wrap:normal}
.wide+.wide{margin-top:1.25rem}
section.step{margin:0 0 .75rem;padding:1rem;background:var(--panel);border:1px solid var(--line);border-radius:8px}
section.step:target{outline:2px solid var(--accent)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem;margin:.5rem 0 0}
dd{margin:0;overflow-wrap:anywhere}
ul.list{list-style:none;padding:0;margin:1rem 0}
ul.list li{padding:.9rem 0;border-bottom:1px solid var(--line)}
ul.list a{font-weight:600}
input{font:inherit;width:100%;padding:.55rem .75rem;color:inherit;background:var(--panel);border:1px solid var(--line);border-radius:6px}
input:focus-visible,a:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
[hidden]{display:none}
@media (max-width:34rem){dl{grid-template-columns:1fr}dt{margin-top:.4rem}}
@media print{input,nav{display:none}}`;

/** The search of the first page: every word that is typed must be in what a graph says. Without it all graphs are listed. */
export const SEARCH = `const field = document.querySelector("input");
const told = document.querySelector("#told");
const items = [...document.querySelectorAll("li[data-words]")];
const search = () => {
  const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let shown = 0;
  for (const item of items) {
    const fits = words.every((word) => item.dataset.words.includes(word));
    item.hidden = !fits;
    if (fits) shown += 1;
  }
  told.textContent = words.length === 0 ? "" : shown === 0 ? "Nothing is like this." : shown + " of " + items.length;
};
document.querySelector("label").hidden = false;
field.addEventListener("input", search);
search();`;
