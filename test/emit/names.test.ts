import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { camelCase, kebabCase, pascalCase } from "../../compiler/3-emit/names.js";
import { emitFiles, modulesAmong } from "../../compiler/emit-files.js";
import { understandText } from "../world.js";

test.each([
  // Graph, type, value, file.
  ["Order Approval", "OrderApproval", "orderApproval", "order-approval"],
  ["order_approval", "OrderApproval", "orderApproval", "order-approval"],
  ["FAQ", "FAQ", "faq", "faq"],
  ["FAQBot", "FAQBot", "faqBot", "faqbot"],
  ["FAQ bot", "FAQBot", "faqBot", "faq-bot"],
  ["FAQs", "FAQs", "faqs", "faqs"],
  ["URLsToCheck", "URLsToCheck", "urlsToCheck", "urls-to-check"],
  ["HTTPCheck", "HTTPCheck", "httpCheck", "httpcheck"],
  ["parseURL", "ParseURL", "parseURL", "parse-url"],
  ["SQL2JSON", "SQL2JSON", "sql2Json", "sql2-json"],
  ["OAuth", "OAuth", "oAuth", "oauth"],
  ["ORDER APPROVAL", "ORDERAPPROVAL", "orderApproval", "order-approval"],
  ["A", "A", "a", "a"],
  ["2nd order", "Graph2ndOrder", "graph2ndOrder", "2nd-order"],
  ["2FALogin", "Graph2FALogin", "graph2FALogin", "2-falogin"],
  ["ÄRZTE", "ARZTE", "arzte", "arzte"],
  ["日本 FAQ", "FAQ", "faq", "faq"],
  ["日本", "Graph", "graph", ""],
])("%j is %s, %s and %s", (name, type, value, file) => {
  expect([pascalCase(name), camelCase(name), kebabCase(name)]).toEqual([type, value, file]);
});

test("any name makes names of values and of types", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.stringMatching(/^[A-Za-z0-9 _-]*$/)), (name) => {
      expect(camelCase(name)).toMatch(/^[a-z][A-Za-z0-9]*$/);
      expect(pascalCase(name)).toMatch(/^[A-Z][A-Za-z0-9]*$/);
      expect(camelCase(name).toLowerCase()).toBe(pascalCase(name).toLowerCase());
    }),
  );
});

describe("graphs whose names make one name", () => {
  /** The index of modules of graphs without more. */
  function indexOf(graphs: readonly string[]): string {
    const rows = graphs.map((graph) => `${graph},A,echo,Hello`);
    const { graphs: found } = understandText(`graph_name,node_name,agent_type,prompt\n${rows.join("\n")}\n`);
    const findAgent = (): never => {
      throw new Error("no row has an agent of the project");
    };
    const toEmit = found.map((graph) => ({ graph, fingerprint: "f" }));
    const modules = modulesAmong(found, () => null);
    const files = emitFiles(toEmit, { findAgent, extension: ".js", modules });
    return files.get("index.gen.ts") ?? "";
  }

  /** The values that modules export, by file, and what the index calls them. */
  const exportsOf = (graphs: readonly string[]): readonly string[] =>
    [...indexOf(graphs).matchAll(/^export \{ (.*) \} from/gm)].map(([, name = ""]) => name);

  /** The module of each name of the index. */
  const modulesOf = (graphs: readonly string[]): ReadonlyMap<string, string> =>
    new Map(
      [...indexOf(graphs).matchAll(/^export \{ (?:\w+ as )?(\w+) \} from "(.*)";$/gm)].map(
        ([, name = "", from = ""]) => [name, from],
      ),
    );

  test("a graph more may take a name out of the index, but never gets that of another", () => {
    expect([...modulesOf(["FAQBot"])]).toEqual([["faqBot", "./faqbot.gen.js"]]);
    expect([...modulesOf(["FAQBot", "FAQ Bot"]).keys()]).toEqual(["faqBot_faq_bot", "faqBot_faqbot"]);
    const names = [
      "FAQBot",
      "FAQ Bot",
      "FA QBot",
      "Faqbot2",
      "faqBot faqbot",
      "node",
      "node 2",
      "No De2",
      "do",
      "do 2",
    ];
    fc.assert(
      fc.property(fc.uniqueArray(fc.constantFrom(...names), { minLength: 2 }), ([more = "", ...graphs]) => {
        const before = modulesOf(graphs);
        const after = modulesOf([...graphs, more]);
        expect(after.size).toBe(graphs.length + 1);
        for (const [name, from] of after) if (before.has(name)) expect(before.get(name)).toBe(from);
      }),
    );
  });

  test.each([
    [
      ["IF", "DO", "Async", "NODE"],
      ["async2", "do2", "if2", "node2"],
    ],
    [
      ["ab1", "ab 1"],
      ["ab1 as ab1_ab_1", "ab1 as ab1_ab1"],
    ],
    [
      ["node", "node 2"],
      ["node2 as node2_node", "node2 as node2_node_2"],
    ],
  ])("%j have neither words nor names of others", (graphs, expected) => {
    const names = exportsOf(graphs);
    const called = names.map((name) => name.split(" as ").at(-1));
    expect(new Set(called).size).toBe(graphs.length);
    expect(names).toEqual(expected);
  });
});
