import { SHEET_WORDS } from "../1-parse/header/column-names.js";
import { findFormat } from "../1-parse/header/find-header.js";
import type { TestSheet } from "../1-parse/test-sheet.js";
import { writeCell } from "../1-parse/text/edit-cell.js";
import { understandSheet } from "../compile.js";
import type { Diagnostic, Edit } from "../diagnostics/diagnostic.js";
import type { GraphIR, Page, Sheet } from "../ir.js";
import { understandTests } from "../understand-tests.js";
import type { About, World } from "../world.js";
import { type DocumentKind, kindOf } from "./kind.js";

export type { DocumentKind, Edit };

/** Its `span` says the cell, its `place` the lines of the file. */
export type SpannedDiagnostic = Diagnostic;

/** The world of a document. */
export interface ServiceWorld {
  readonly world: World;
  /** The graphs of the sheet beside a test sheet. */
  readonly testedGraphs?: readonly GraphIR[];
  /** What is said of built-in agents, settings and columns. */
  readonly about?: About;
  /** The custom agents as their classes are named; without it the types of `world` stand for them. */
  readonly customAgents?: readonly CustomAgent[];
}

/** A custom agent that a sheet may name. */
export interface CustomAgent {
  readonly name: string;
  /** The file that it stands in. */
  readonly file: string;
}

/** What is known of the present text: all requests are answered from it. */
export interface View {
  readonly file: string;
  readonly text: string;
  readonly kind: DocumentKind;
  /** Null for other kinds, and while the text is no sheet at all. */
  readonly sheet: Sheet | null;
  readonly tests: TestSheet | null;
  /** Those of the sheet; of a test sheet, those that it tests. */
  readonly graphs: readonly GraphIR[];
  readonly diagnostics: readonly SpannedDiagnostic[];
  readonly world: ServiceWorld;
}

/** A file that is open in an editor: its text as it is changed, and what is known of it. */
export class SheetDocument {
  readonly file: string;
  #text: string;
  #world: ServiceWorld;
  #view: View | null = null;

  private constructor(file: string, text: string, world: ServiceWorld) {
    this.file = file;
    this.#text = text;
    this.#world = world;
  }

  static open(file: string, text: string, world: ServiceWorld): SheetDocument {
    return new SheetDocument(file, text, world);
  }

  get text(): string {
    return this.#text;
  }

  get kind(): DocumentKind {
    return this.view().kind;
  }

  /** Each edit counts in the text that the edits before it have made. */
  edit(edits: readonly Edit[]): void {
    for (const { start, end, text } of edits)
      this.#text = this.#text.slice(0, start) + text + this.#text.slice(end);
    this.#view = null;
  }

  /** Writes a whole cell, in quotes where it needs them; answers the edit that it has made. */
  editCell(at: { readonly record: number; readonly column: number }, text: string): Edit {
    const edit = writeCell(this.#page(), at, text);
    this.edit([edit]);
    return edit;
  }

  changeWorld(world: ServiceWorld): void {
    this.#world = world;
    this.#view = null;
  }

  view(): View {
    this.#view ??= understand(this.file, this.#text, this.#world);
    return this.#view;
  }

  #page(): Page {
    const { sheet, tests } = this.view();
    return sheet ?? tests ?? pageOf(this.file, this.#text);
  }
}

function pageOf(file: string, text: string): Page {
  const { delimiter, start } = findFormat(text, SHEET_WORDS);
  return { file, text, delimiter, start };
}

function understand(file: string, text: string, world: ServiceWorld): View {
  const kind = kindOf(file, text);
  const nothing = { sheet: null, tests: null, graphs: [], diagnostics: [] };
  const view: View = { file, text, kind, world, ...nothing };
  if (kind === "sheet") {
    const { sheet, graphs, diagnostics } = understandSheet({ file, text }, world.world);
    return { ...view, sheet, graphs, diagnostics };
  }
  if (kind === "other") return view;
  const tested = { graphs: world.testedGraphs ?? [], agents: world.world.agents };
  const { sheet: tests, diagnostics } = understandTests({ file, text }, tested);
  return { ...view, tests, graphs: tested.graphs, diagnostics };
}
