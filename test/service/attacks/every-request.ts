import { complete } from "../../../compiler/service/complete/complete.js";
import { SheetDocument, type View } from "../../../compiler/service/document.js";
import { fixAll, fixes } from "../../../compiler/service/fixes.js";
import { folding } from "../../../compiler/service/folding.js";
import { hints } from "../../../compiler/service/hints.js";
import { hover } from "../../../compiler/service/hover.js";
import { definition, highlights, references } from "../../../compiler/service/navigate.js";
import { prepareRename, rename } from "../../../compiler/service/rename.js";
import { documentSymbols, workspaceSymbols } from "../../../compiler/service/symbols.js";
import { tokens } from "../../../compiler/service/tokens/tokens.js";
import { about } from "../../../runtime/agents/about.js";
import { drawSoon } from "../../../runtime/draw/svg/svg.js";
import { testWorld } from "../../world.js";
import type { Attack } from "./attack-sheets.js";

/** Where a caret may stand: at the ends of the cells of a record, by the record's number from the front or the back. */
function offsetsIn(text: string): readonly number[] {
  const lines = [text.indexOf("\n") + 1, text.lastIndexOf("\n", text.length - 2) + 1];
  const around = lines.flatMap((start) => {
    const end = text.indexOf("\n", start);
    const cells: number[] = [];
    for (
      let at = start;
      at >= 0 && at <= (end < 0 ? text.length : end) && cells.length < 5;
      at = text.indexOf(",", at) + 1 || -1
    )
      cells.push(at);
    return cells;
  });
  const middle = [0.5].map((part) => Math.floor(text.length * part));
  return [
    ...new Set([
      ...around,
      ...around.map((at) => Math.max(0, at - 1)),
      ...middle,
      ...middle.map((at) => at + 3),
      text.length,
    ]),
  ];
}

export type Requests = readonly (readonly [name: string, ask: () => unknown])[];

/** Every request of an attack, and the edits that an editor may send; each can be asked by itself. */
export function requestsOf({ text: textOf, tested }: Attack, size: number): Requests {
  const text = textOf(size);
  const world = testWorld();
  const around = { world, about };
  const beside: readonly View[] =
    tested === undefined ? [] : [SheetDocument.open("a.csv", tested(size), around).view()];
  const given = { ...around, testedGraphs: beside[0]?.graphs ?? [] };
  const file = tested === undefined ? "a.csv" : "a.test.csv";
  const open = (): SheetDocument => SheetDocument.open(file, text, given);
  let document: SheetDocument | null = null;
  const seen = (): SheetDocument => {
    if (document === null) {
      document = open();
      document.view();
    }
    return document;
  };
  const view = (): View => seen().view();
  const all = { start: 0, end: text.length };
  const top = { start: 0, end: Math.min(2_000, text.length) };
  // Each place is asked for everything, so few are enough.
  const offsets = offsetsIn(text).filter((_, i) => i % 3 === 0);
  const anyGraph = () => view().graphs[0];
  const type = (at: number, typed: string) => (): void => {
    const own = seen();
    own.edit([{ start: at, end: at, text: typed }]);
    own.view();
    own.edit([{ start: at, end: at + typed.length, text: "" }]);
  };
  const typeAndAsk = (at: number) => (): void => {
    const own = seen();
    own.edit([{ start: at, end: at, text: "x" }]);
    complete(own.view(), at + 1);
    own.edit([{ start: at, end: at + 1, text: "" }]);
    own.view();
  };
  const line = text.indexOf("\n", text.length / 2) + 1;
  return [
    ["open", () => open().view()],
    ["symbols", () => documentSymbols(view())],
    ["search", () => workspaceSymbols([view()], "ab")],
    ["folding", () => folding(view())],
    ["tokens", () => tokens(view())],
    ["tokens of a range", () => tokens(view(), top)],
    ["hints", () => hints(view(), all)],
    ["hints of a range", () => hints(view(), top)],
    ["fixes", () => fixes(view(), all)],
    ["fixes of a range", () => fixes(view(), top)],
    ["fix all", () => fixAll(view())],
    [
      "picture",
      () => {
        const graph = anyGraph();
        return graph === undefined ? null : drawSoon(graph);
      },
    ],
    ["a row inserted", type(line, "G,New,,,,,,,,\n")],
    ["a quote inserted", type(line, '"')],
    ...offsets.flatMap(
      (at) =>
        [
          [`complete ${at}`, () => complete(view(), at)],
          [`hover ${at}`, () => hover(view(), at)],
          [`definition ${at}`, () => definition(view(), at)],
          [`references ${at}`, () => references(view(), at)],
          [`highlights ${at}`, () => highlights(view(), at)],
          [`prepare rename ${at}`, () => prepareRename(view(), at)],
          [`rename ${at}`, () => rename(view(), at, "other_1", [view(), ...beside])],
          [`key ${at}`, type(at, "x")],
          [`key and completion ${at}`, typeAndAsk(at)],
        ] as const,
    ),
  ];
}
