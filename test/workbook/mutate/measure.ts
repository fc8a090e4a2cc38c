// Reads mutated workbooks in a process of its own: measure.js <folder> <seed> <from> <to>. What it prints is JSON.
import { readWorkbook } from "../../../compiler/1-parse/workbook/read-workbook.js";
import { Refusal } from "../../../compiler/1-parse/workbook/refusal.js";
import { writeCells } from "../../../compiler/1-parse/workbook/write-cells.js";
import { peakMemory } from "../../bench/peak-memory.js";
import { bookParts } from "./books.js";
import { mutated } from "./mutations.js";

const [folder = "", seed, from, to] = process.argv.slice(2);
const books = bookParts(folder);
const found = { read: 0, refused: 0, slowest: 0, slowestRound: -1, memory: 0 };

/** Reads it, and writes a cell of what could be read. */
function readAndWrite(bytes: Uint8Array): void {
  const book = readWorkbook(bytes);
  if (book.kind === "bad") {
    if (book.why === "") throw new Error("a workbook is refused without a reason");
    found.refused++;
    return;
  }
  found.read++;
  const shown = book.worksheets.find(({ hidden, excess }) => !hidden && excess === null);
  if (shown === undefined) return;
  try {
    writeCells(bytes, [{ part: shown.part, row: 1, column: 1, text: "written" }]);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

/** What was loaded and compiled before the first round is not of the workbooks. */
for (let round = 0; round < 200; round++) mutated(books, 1, round);
const before = peakMemory();
/** What earlier rounds left behind is not of the next one. */
const collect = (): void => {
  if (process.memoryUsage.rss() / 1024 / 1024 > before + 100) globalThis.gc?.();
};
for (let round = Number(from); round < Number(to); round++) {
  const bytes = mutated(books, Number(seed), round);
  collect();
  const began = process.cpuUsage();
  try {
    readAndWrite(bytes);
  } catch (error) {
    throw new Error(`round ${round} of seed ${seed}: ${String(error)}`, { cause: error });
  }
  const { user, system } = process.cpuUsage(began);
  const ms = (user + system) / 1000;
  if (ms > found.slowest) Object.assign(found, { slowest: ms, slowestRound: round });
}
found.memory = peakMemory() - before;
process.stdout.write(JSON.stringify(found));
