import type { GraphIR } from "../../compiler/ir.js";
import { drawSvg } from "../../runtime/draw/svg/svg.js";
import type { CaseTold } from "./examples.js";
import { frame } from "./frame.js";
import { graphPage } from "./graph-page.js";
import { html, wordsOf } from "./html.js";
import { SEARCH } from "./look.js";

export interface Documented {
  readonly graph: GraphIR;
  readonly cases: readonly CaseTold[];
}

/** A page for each graph, and one that lists them. The same sheets give the same bytes. */
export async function makeSite(documented: readonly Documented[]): Promise<ReadonlyMap<string, string>> {
  const graphs = [...documented].sort((a, b) => compare(a.graph, b.graph));
  const names = pageNames(graphs.map(({ graph }) => graph.name));
  const pages = new Map<string, string>([["index.html", indexPage(graphs, names)]]);
  for (const [i, { graph, cases }] of graphs.entries()) {
    const pageOf = (name: string): string | null => {
      const found = graphs.flatMap((one, at) => (one.graph.name === name.replace(/^.*::/s, "") ? [at] : []));
      const near = found.find((at) => graphs[at]?.graph.file === graph.file) ?? found[0];
      return near === undefined ? null : (names[near] ?? null);
    };
    pages.set(names[i]!, graphPage({ graph, cases, picture: await drawSvg(graph), pageOf }));
  }
  return pages;
}

const compare = (a: GraphIR, b: GraphIR): number =>
  a.name === b.name ? Number(a.file > b.file) - Number(a.file < b.file) : a.name < b.name ? -1 : 1;

/** Names in kebab case; those that are taken get a number. */
export function pageNames(names: readonly string[]): readonly string[] {
  const taken = new Set(["index.html"]);
  return names.map((name) => {
    const kebab = name
      .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1-$2")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 80);
    const stem = kebab === "" ? "graph" : kebab;
    let page = `${stem}.html`;
    for (let number = 2; taken.has(page); number++) page = `${stem}-${number}.html`;
    taken.add(page);
    return page;
  });
}

function indexPage(graphs: readonly Documented[], names: readonly string[]): string {
  const items = graphs.map(({ graph, cases }, i) => {
    const [entry] = graph.nodes;
    const counted = `${graph.nodes.length} ${graph.nodes.length === 1 ? "step" : "steps"} · ${html(graph.file)}`;
    return `<li data-words="${searchable({ graph, cases })}"><a href="${html(encodeURI(names[i] ?? ""))}">${html(graph.name)}</a>
<span class="soft">${counted}</span>
${entry === undefined || entry.description === "" ? "" : `<p>${html(entry.description)}</p>`}</li>`;
  });
  const body = `<h1>Workflows</h1>
<label hidden>Search names, steps, fields, prompts and examples<input type="search" autocomplete="off"></label>
<p id="told" class="soft" role="status"></p>
<ul class="list">
${items.join("\n")}
</ul>
`;
  return frame({ sheet: null, title: "Workflows", body, script: SEARCH });
}

/** Each graph is found by all that its page says. */
const searchable = ({ graph, cases }: Documented): string =>
  wordsOf([
    ...[graph.name, graph.file],
    ...graph.nodes.flatMap(({ name, agent, description, prompt }) => [
      ...[name, agent.written, description],
      ...(prompt ?? []).map((part) => (typeof part === "string" ? part : part.join("."))),
    ]),
    ...graph.fields.map(({ name }) => name),
    ...cases.map(({ one }) => one.name),
  ]);
