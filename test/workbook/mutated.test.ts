import { expect, test } from "vitest";
import { readWorkbook } from "../../compiler/1-parse/workbook/read-workbook.js";
import { firstSeed } from "../seed.js";
import { bookOf, type MadePart, partsOf, rowsOf, zipOf } from "./made.js";

/** Numbers that come out the same for the same seed. */
function createDice(seed: number): (sides: number) => number {
  let state = seed >>> 0 || 1;
  return (sides) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % sides;
  };
}

const book = {
  sheets: [
    {
      name: "Triage",
      data: rowsOf([
        ["graph_name", "node_name", "prompt"],
        ["Hello", "Greet", 'say "hi",\nplease'],
        ["", "Bye", ""],
      ]),
      after: '<mergeCells count="1"><mergeCell ref="A2:A3"/></mergeCells>',
    },
    {
      name: "Data",
      data: '<row r="1"><c r="A1" t="s"><v>1</v></c><c r="B1" s="1"><f>1+1</f><v>2</v></c></row>',
    },
  ],
  texts: "<si><t>one</t></si><si><r><t>t</t></r><r><t>wo_x000D_</t></r></si>",
  styles: '<xf numFmtId="14"/>',
};

const STARS = [
  "<",
  ">",
  "&",
  '"',
  "<!DOCTYPE a>",
  "\0",
  "</c>",
  "<c/>",
  "r=",
  "99999999",
  "&#0;",
  "&amp;",
  "-1",
  "e9",
];

/** A part with pieces of its text put in, taken out, or doubled. */
function mutatePart(part: MadePart, dice: (sides: number) => number): MadePart {
  let text = String(part.content);
  for (let left = 1 + dice(3); left > 0; left--) {
    const at = dice(text.length + 1);
    const to = Math.min(text.length, at + dice(40));
    const kind = dice(4);
    if (kind === 0) text = text.slice(0, at) + (STARS[dice(STARS.length)] ?? "") + text.slice(at);
    else if (kind === 1) text = text.slice(0, at) + text.slice(to);
    else if (kind === 2) text = text.slice(0, to) + text.slice(at);
    else text = text.slice(0, at) + String.fromCharCode(dice(0x180)) + text.slice(at + 1);
  }
  return { ...part, content: text };
}

function mutateBytes(bytes: Uint8Array, dice: (sides: number) => number): Uint8Array {
  const copy = bytes.slice();
  for (let left = 1 + dice(6); left > 0; left--) copy[dice(copy.length)] = dice(256);
  return dice(8) === 0 ? copy.subarray(0, dice(copy.length)) : copy;
}

function mutated(round: number): Uint8Array {
  const dice = createDice(firstSeed + round * 7919);
  if (round % 2 === 0) return mutateBytes(bookOf(book), dice);
  const parts = partsOf(book);
  const hit = dice(parts.length);
  return zipOf(
    parts.flatMap((part, i) => (i !== hit ? [part] : dice(20) === 0 ? [] : [mutatePart(part, dice)])),
  );
}

const ROUNDS = process.env["CI"] === "true" ? 20_000 : 1_000;

test(`${ROUNDS.toLocaleString("en-US")} mutated workbooks give values or our own errors, soon and in little memory`, () => {
  let slowest = 0;
  let read = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const bytes = mutated(round);
    const began = process.cpuUsage();
    const result = readWorkbook(bytes);
    const { user, system } = process.cpuUsage(began);
    slowest = Math.max(slowest, (user + system) / 1000);
    if (result.kind === "workbook") read++;
    else expect(result.why).not.toBe("");
  }
  // Two seconds are promised; ten times as much fails only what hangs.
  expect(slowest).toBeLessThan(20_000);
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(ROUNDS);
});
