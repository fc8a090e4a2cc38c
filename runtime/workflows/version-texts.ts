import type { FoundTable } from "../../compiler/ir.js";
import type { PromptResolver, ResolvedPrompt } from "../prompts/resolve.js";
import type { Member } from "./family.js";

/** All texts that understanding a graph has read, so that it can be understood again without its files. */
export interface VersionTexts {
  readonly graph: string;
  /** The first one has the graph. */
  readonly sheets: readonly KeptText[];
  /** By kind and name: `file hello.md`. */
  readonly prompts: { readonly [name: string]: string };
  /** The tables that formulas of sheets were checked with, by the number of the sheet and their names. */
  readonly tables?: { readonly [sheetAndName: string]: FoundTable };
  /** Which graph of which sheet is meant by a name that a sheet calls. */
  readonly calls: readonly KeptCall[];
}

interface KeptText {
  readonly shown: string;
  readonly text: string;
}

interface KeptCall {
  readonly from: number;
  readonly name: string;
  readonly sheet: number;
  readonly graph: string;
}

/** The prompts that a resolver was asked for. */
export type UsedPrompts = ReadonlyMap<string, ResolvedPrompt>;

export function notingPrompts(resolve: PromptResolver): {
  readonly prompt: PromptResolver;
  readonly used: UsedPrompts;
} {
  const used = new Map<string, ResolvedPrompt>();
  const prompt: PromptResolver = (kind, name) => {
    const resolved = resolve(kind, name);
    used.set(`${kind} ${name}`, resolved);
    return resolved;
  };
  return { prompt, used };
}

/** Null when a text is not there any more. */
export function textsOf(family: readonly Member[], prompts: UsedPrompts): VersionTexts | null {
  const understandings = [...new Set(family.map(({ understanding }) => understanding))];
  const sheets = understandings.flatMap(({ file, sheet }) =>
    sheet === null ? [] : [{ shown: file, text: sheet.text }],
  );
  const [first] = family;
  if (first === undefined || sheets.length < understandings.length) return null;
  const number = ({ understanding }: Member): number => understandings.indexOf(understanding);
  const calls = family.flatMap((member) =>
    [...member.runs].map(([name, called]) => ({
      from: number(member),
      name,
      sheet: number(called),
      graph: called.ir.name,
    })),
  );
  const texts = [...prompts].flatMap(([name, one]) => ("text" in one ? [[name, one.text] as const] : []));
  const tables = family.flatMap((member) =>
    member.ir.nodes.flatMap(({ compute }) =>
      Object.entries(compute?.checkedWith ?? {}).map(([name, table]) => [`${number(member)} ${name}`, table]),
    ),
  );
  return {
    ...{ graph: first.ir.name, sheets, prompts: Object.fromEntries(texts), calls },
    ...(tables.length === 0 ? {} : { tables: Object.fromEntries(tables) }),
  };
}
