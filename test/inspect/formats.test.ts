import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { drawNode } from "../../cli/inspect/node-text.js";
import { drawTree } from "../../cli/inspect/tree.js";
import { jsonText } from "../../compiler/diagnostics/json-text.js";
import { visible } from "../../compiler/diagnostics/visible.js";
import type { GraphIR } from "../../compiler/ir.js";
import { describeGraph } from "../../runtime/draw/describe.js";
import { describeNode } from "../../runtime/draw/describe-node.js";
import { drawDot } from "../../runtime/draw/dot.js";
import { drawMermaid } from "../../runtime/draw/mermaid.js";
import { drawSvg } from "../../runtime/draw/svg/svg.js";
import { expectGolden } from "../cases/case-folder.js";
import { howMany } from "../how-many.js";
import { graphOf, hostileNames } from "./hostile.js";
import { randomGraphs } from "./random.js";
import { shapes } from "./shapes.js";
import { readXml } from "./svg-reader.js";

/** What a terminal, an editor or a reader of logs would act on or not show; line breaks are ours. */
const RAW = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/;

type Draw = (graph: GraphIR) => string | Promise<string>;

const formats: { readonly [format: string]: Draw } = {
  tree: drawTree,
  node: (graph) => graph.nodes.map(({ name }) => drawNode(describeNode(graph, name)!)).join(""),
  "node as json": (graph) => graph.nodes.map(({ name }) => jsonText(describeNode(graph, name))).join(""),
  mermaid: drawMermaid,
  dot: drawDot,
  svg: drawSvg,
  json: (graph) => jsonText(describeGraph(graph)),
};

describe.each(Object.entries(formats))("%s", (format, draw) => {
  test.each(hostileNames)("%s is shown and does nothing", async (_, name) => {
    const text = await draw(graphOf(name));
    expect(text).not.toMatch(RAW);
    expect(text).not.toMatch(/\p{Cs}/u);
    expect(text.endsWith("\n")).toBe(true);
  });

  test("takes any text", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", minLength: 1, maxLength: 40 }), async (name) => {
        const text = await draw(graphOf(name));
        expect(text).not.toMatch(RAW);
        expect(text).not.toMatch(/\p{Cs}/u);
      }),
      { numRuns: format === "svg" ? howMany(40, 10) : howMany(80, 25) },
    );
  });

  test("takes any graph, and no node at all", async () => {
    await fc.assert(
      fc.asyncProperty(randomGraphs(15), async (graph) => {
        expect(await draw(graph)).not.toMatch(RAW);
      }),
      { numRuns: howMany(30, 8) },
    );
    const empty: GraphIR = {
      name: "Empty",
      file: "empty.csv",
      nodes: [],
      fields: [],
      splits: [],
      timezone: null,
      schedule: null,
      webhook: null,
      mayFail: false,
    };
    expect(typeof (await draw(empty))).toBe("string");
  });
});

describe("mermaid", () => {
  // Letters, digits, spaces, underscores in words, numbered entities, and the one line break that is ours.
  const label = String.raw`"(?:[\p{L}\p{M}\p{N} ]|#\d+;|_|<br/>)*"`;
  const node = String.raw`n\d+(?:\(\[${label}\]\)|\{\{${label}\}\}|\[${label}\])`;
  const arrow = String.raw`n\d+ (?:-->|-\.->|==>)(?:\|${label}\|)? (?:n\d+|finish)`;
  const line = new RegExp(String.raw`^(?:flowchart TD|  finish\(\["END"\]\)|  ${node}|  ${arrow})$`, "u");

  test.each(hostileNames)("%s stays inside a label", (_, name) => {
    const lines = drawMermaid(graphOf(name)).trimEnd().split("\n");
    expect(lines.filter((each) => !line.test(each))).toEqual([]);
    expect(lines).toHaveLength(1 + 3 + 1 + 7);
  });

  test.each(hostileNames)("%s is read back from its label", (_, name) => {
    const [, text = ""] = /n0\(\["(.*?)<br\/>/u.exec(drawMermaid(graphOf(name))) ?? [];
    expect(text.replace(/#(\d+);/g, (_all, code: string) => String.fromCodePoint(Number(code)))).toBe(
      visible(name),
    );
  });

  test("looks as it should", () => {
    for (const name of ["support", "choice"])
      expectGolden(`test/inspect/golden/${name}.mmd`, drawMermaid(shapes[name] as GraphIR));
  });
});

describe("dot", () => {
  // Outside of quoted strings only our own words and signs may stand.
  const string = String.raw`"(?:[^"\\\n]|\\.)*"`;
  const value = `(?:${string}|[a-zA-Z0-9.]+)`;
  const attributes = String.raw`\[[a-z]+=${value}(?:, [a-z]+=${value})*\]`;
  const line = new RegExp(
    String.raw`^(?:digraph ${string} \{|  rankdir=TB;|  (?:[a-z]+\d*)(?: -> (?:n\d+|end))?(?: ${attributes})?;|\})$`,
    "u",
  );

  test.each(hostileNames)("%s stays inside a string", (_, name) => {
    const lines = drawDot(graphOf(name)).trimEnd().split("\n");
    expect(lines.filter((each) => !line.test(each))).toEqual([]);
  });

  test.each(hostileNames)("%s is read back from its string", (_, name) => {
    const [, text = ""] = /n0 \[label="((?:[^"\\]|\\.)*?)\\n/u.exec(drawDot(graphOf(name))) ?? [];
    expect(text.replace(/\\([\\"])/g, "$1").replace(/&amp;/g, "&")).toBe(visible(name));
  });

  test("looks as it should", () => {
    for (const name of ["support", "choice"])
      expectGolden(`test/inspect/golden/${name}.dot`, drawDot(shapes[name] as GraphIR));
  });
});

describe("svg", () => {
  const ELEMENTS = new Set(["svg", "title", "desc", "style", "rect", "g", "path", "text", "circle"]);
  const ATTRIBUTES = /^(?:xmlns|class|role|viewBox|width|height|x|y|rx|cx|cy|r|d|font-size|text-anchor)$/;

  test.each(hostileNames)("%s is text and nothing else", async (_, name) => {
    const elements = readXml(await drawSvg(graphOf(name)));
    expect(elements.filter((element) => !ELEMENTS.has(element.name))).toEqual([]);
    const attributes = elements.flatMap((element) => [...element.attributes]);
    expect(
      attributes.filter(([key, value]) => !ATTRIBUTES.test(key) || /javascript|data:|url\(/i.test(value)),
    ).toEqual([]);
    expect(elements.filter((element) => element.name === "style")).toHaveLength(1);
    const shown = visible(name).replace(/[\ufffe\uffff]/g, "\ufffd");
    expect(
      elements.some((element) => element.name === "title" && element.text.startsWith(`${shown} (`)),
    ).toBe(true);
  });

  test("names itself for those who do not see it", async () => {
    const [root, title, desc] = readXml(await drawSvg(shapes["support"] as GraphIR));
    expect(root?.attributes.get("role")).toBe("img");
    expect([title?.name, title?.text]).toEqual(["title", "Support"]);
    expect(desc?.text).toContain("Classify: success Answer, failure Apologize.");
  });

  test("has colours for light and dark pages, and loads nothing", async () => {
    const text = await drawSvg(shapes["support"] as GraphIR);
    expect(text).toContain("@media (prefers-color-scheme:dark)");
    expect(text.replace("http://www.w3.org/2000/svg", "")).not.toMatch(
      /https?:|@import|url\(|<script|<image|<foreignObject|href/i,
    );
  });

  test("shows a long text in part, and the whole of it as a title", async () => {
    const name = `${"Very long name of a node ".repeat(5)}end`;
    const elements = readXml(await drawSvg(graphOf(name)));
    expect(elements.some((element) => element.name === "text" && element.text.endsWith("…"))).toBe(true);
    expect(elements.some((element) => element.name === "title" && element.text.includes(name))).toBe(true);
  });
});

describe("json", () => {
  test("looks as it should", () => {
    expectGolden("test/inspect/golden/support.json", jsonText(describeGraph(shapes["support"] as GraphIR)));
  });

  test.each(hostileNames)("%s comes back as it was", (_, name) => {
    const graph = JSON.parse(jsonText(describeGraph(graphOf(name))));
    expect(graph.nodes[0].name).toBe(name);
    expect(graph.edges[0]).toEqual({ from: name, to: "b", on: "next" });
  });

  test("the end is END, and null where a node has that name", () => {
    const { nodes, edges, splits } = describeGraph(shapes["nested"] as GraphIR);
    expect(nodes.find(({ name }) => name === "News")?.next).toEqual(["END"]);
    expect(edges).toContainEqual({ from: "News", to: "END", on: "next" });
    expect(splits[0]).toMatchObject({ node: "Start", on: "next", meet: "Score" });
    const named = describeGraph({
      ...(shapes["nested"] as GraphIR),
      nodes: (shapes["nested"] as GraphIR).nodes.map((node) =>
        node.name === "Score" ? { ...node, name: "END" } : node,
      ),
    });
    expect(named.nodes.find(({ name }) => name === "News")?.next).toEqual([null]);
    expect(named.splits[0]?.meet).toBe("END");
  });
});
