import { expect, test } from "vitest";
import { understandText } from "../world.js";

const HEADER = "graph_name,node_name,agent_type,output_field,prompt,context";
const MANY = 30_000;

const unknown = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`unknown_${i}`, i]));

const sheetOf = (context: object): string =>
  `${HEADER}\nG,A,echo,x,Hello,"${JSON.stringify(context).replaceAll('"', '""')}"\n`;

test.each([
  ["settings", unknown(MANY)],
  ["parts of a setting", { retry: unknown(MANY) }],
])("very many unknown %s cost no more than their letters", (_what, context) => {
  const started = performance.now();
  const { diagnostics } = understandText(sheetOf(context));
  expect(diagnostics.filter(({ code }) => code === "unknown-setting").length).toBe(MANY);
  expect(performance.now() - started).toBeLessThan(20_000);
});

test("a name that the row has already is meant by none", () => {
  const found = understandText(sheetOf({ retry: 2, retri: 1, timeout_m: 5 })).diagnostics;
  expect(found.map(({ message }) => message)).toEqual([
    expect.not.stringContaining("did you mean"),
    expect.anything(),
  ]);
  expect(found.map(({ fix }) => fix?.title ?? null)).toEqual([null, 'write "timeout_ms"']);
});
