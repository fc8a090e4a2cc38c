import type { World } from "../../compiler/world.js";

/** What only a program with the whole compiler can do: the Studio of one machine is given it. */
export interface Workshop {
  /** The module that a graph becomes. Null without such a graph. Rejects with a problem for a sheet with errors. */
  readonly module: (sheet: string, graph: string) => Promise<GraphModule | null>;
  /** Writes the modules of a sheet, as `flowsheet compile` does. */
  readonly compile: (sheet: string) => Promise<CompileReport>;
  /** Gives a node another name in a test sheet. */
  readonly renameInTests: (asked: TestRename) => RenamedTests;
}

interface SheetText {
  readonly file: string;
  readonly text: string;
}

export interface TestRename {
  readonly sheet: SheetText;
  readonly tests: SheetText;
  readonly world: World;
  readonly graph: string;
  readonly from: string;
  readonly to: string;
}

export type RenamedTests = { readonly text: string; readonly cells: number } | { readonly why: string };

/** What a stretch of a module is; nothing is said of names and signs. */
export type TokenClass = "keyword" | "string" | "number" | "comment";

export interface GraphModule {
  /** Where it is written, as commands show it. */
  readonly file: string;
  readonly text: string;
  readonly tokens: readonly (readonly [start: number, length: number, is: TokenClass])[];
  /** Lines, from 1, with the records whose nodes they are made from. */
  readonly rows: readonly (readonly [line: number, record: number])[];
  /** The file is missing, or has other text: the sheet was not compiled since. */
  readonly stale: boolean;
  /** There is a file. */
  readonly written: boolean;
}

export interface CompileReport {
  readonly exitCode: number;
  /** What the command writes. */
  readonly report: string;
}

/** Why a module cannot be made: the text is for people. */
export class ModuleRefused extends Error {}
