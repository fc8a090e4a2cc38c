import { signal } from "@preact/signals";
import { pathOf } from "../address.js";
import { hear } from "../connection/hear.js";
import { server } from "../connection/present.js";
import { Refusal, wordsOf } from "../connection/requests.js";
import { chosenTab, graph, opened } from "../state.js";

type Token = readonly [start: number, length: number, is: string];

interface Told {
  readonly file: string;
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly rows: readonly (readonly [line: number, record: number])[];
  readonly stale: boolean;
  readonly written: boolean;
}

/** A stretch of a line; without a kind for names and signs. */
export interface Stretch {
  readonly text: string;
  readonly is: string;
}

export interface Line {
  readonly stretches: readonly Stretch[];
  /** The record that it is made from; null for what belongs to no row. */
  readonly record: number | null;
}

/** The module of the graph that is looked at. */
export interface ShownModule {
  readonly sheet: string;
  readonly etag: string;
  readonly graph: string;
  readonly file: string;
  readonly lines: readonly Line[];
  readonly isStale: boolean;
  /** There is a file. */
  readonly isWritten: boolean;
  /** Why there is none. */
  readonly said: string;
}

export const shownModule = signal<ShownModule | null>(null);
/** What the compiler has reported. */
export const report = signal<string | null>(null);

export async function loadModule(): Promise<void> {
  const { name: sheet = "", etag = "" } = opened.value ?? {};
  const name = graph.value?.name ?? "";
  const isHere = (): boolean => opened.value?.name === sheet && graph.value?.name === name;
  const about = { sheet, etag, graph: name };
  try {
    const path = `api/sheets/${pathOf(sheet)}/graphs/${encodeURIComponent(name)}/module`;
    const response = await server().ask(path);
    const { file, text, tokens, rows, stale, written } = (await response.json()) as Told;
    const lines = linesOf(text, tokens, new Map(rows));
    if (isHere()) shownModule.value = { ...about, file, lines, isStale: stale, isWritten: written, said: "" };
  } catch (error) {
    // The present text has no module: the last one is of another text.
    const said = error instanceof Refusal && error.status === 404 ? "" : wordsOf(error).join(" ");
    if (isHere())
      shownModule.value = { ...about, file: "", lines: [], isStale: false, isWritten: false, said };
  }
}

const CHANGES: ReadonlySet<string> = new Set(["generated", "world", "resync"]);

/** What is said of the file is read again when somebody else writes it, and the text when the world has changed. */
hear(({ type }) => {
  if (CHANGES.has(type) && shownModule.value !== null && chosenTab.value === "module") void loadModule();
});

/** Writes the modules of the sheet. */
export async function compileSheet(): Promise<void> {
  try {
    const path = `api/sheets/${pathOf(opened.value?.name ?? "")}/compile`;
    const headers = { "Content-Type": "application/json" };
    const response = await server().ask(path, { method: "POST", headers, body: "{}" });
    const told = (await response.json()) as { readonly report: string };
    report.value = told.report.trim();
  } catch (error) {
    report.value = wordsOf(error).join(" ");
  }
  await loadModule();
}

/** The text in lines, each in stretches of one kind. A token may go over several lines. */
export function linesOf(
  text: string,
  tokens: readonly Token[],
  records: ReadonlyMap<number, number>,
): readonly Line[] {
  const lines: Stretch[][] = [[]];
  const add = (piece: string, is: string): void => {
    for (const [i, part] of piece.split("\n").entries()) {
      if (i > 0) lines.push([]);
      if (part !== "") lines.at(-1)?.push({ text: part, is });
    }
  };
  let at = 0;
  for (const [start, length, is] of tokens) {
    add(text.slice(at, start), "");
    add(text.slice(start, start + length), is);
    at = start + length;
  }
  add(text.slice(at), "");
  if (lines.at(-1)?.length === 0) lines.pop();
  return lines.map((stretches, i) => ({ stretches, record: records.get(i + 1) ?? null }));
}
