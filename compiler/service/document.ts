import { SHEET_WORDS } from "../1-parse/header/column-names.js";
import { findFormat } from "../1-parse/header/find-header.js";
import type { TestSheet } from "../1-parse/test-sheet.js";
import { writeCell } from "../1-parse/text/edit-cell.js";
import { Problems } from "../diagnostics/collect.js";
import type { Diagnostic, Edit } from "../diagnostics/diagnostic.js";
import type { GraphIR, Page, Sheet } from "../ir.js";
import { understandTestText } from "../understand-tests.js";
import type { About, World } from "../world.js";
import { type DocumentKind, kindOf } from "./kind.js";
import {
  firstOfEach,
  IN_EDITOR,
  leftToValidate,
  partsOf,
  TEST_ROWS,
  type TooLarge,
  tooLarge,
  tooManyCases,
} from "./limits.js";
import { SheetState } from "./sheet-state.js";

export type { DocumentKind, Edit };

/** Its `span` says the cell, its `place` the lines of the file. */
export type SpannedDiagnostic = Diagnostic;

/** The world of a document. */
export interface ServiceWorld {
  /** Sheets of every size are understood, however long it takes: a page shows its rows meanwhile. */
  readonly takesAll?: boolean;
  readonly world: World;
  /** The graphs of the sheet beside a test sheet. */
  readonly testedGraphs?: readonly GraphIR[];
  /** How many errors that sheet has. */
  readonly testedErrors?: number;
  /** Why the matcher of test sheets refuses a pattern. A browser has none: there only the syntax is looked at. */
  readonly patternFault?: (source: string) => string | null;
  /** What is said of built-in agents, settings and columns. */
  readonly about?: About | undefined;
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
  /** A sheet that is too large to be understood here is another file to all requests. */
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
  /** What is known of a sheet, as long as each edit can be taken into it. */
  #state: SheetState | null = null;
  #view: View | null = null;
  /** How many parts the cells of the text have; null as long as nobody has counted. */
  #parts: number | null = null;

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
    for (const edit of edits) {
      if (this.#parts !== null)
        this.#parts += partsOf(edit.text) - partsOf(this.#text.slice(edit.start, edit.end));
      this.#text = this.#text.slice(0, edit.start) + edit.text + this.#text.slice(edit.end);
      if (this.#state?.edit(this.#text, edit) === false) this.#state = null;
      this.#view = null;
    }
  }

  /** Writes a whole cell, in quotes where it needs them; answers the edit that it has made. */
  editCell(at: { readonly record: number; readonly column: number }, text: string): Edit {
    const edit = writeCell(this.#page(), at, text);
    this.edit([edit]);
    return edit;
  }

  changeWorld(world: ServiceWorld): void {
    this.#world = world;
    this.#state = null;
    this.#view = null;
  }

  view(): View {
    this.#view ??= { ...this.#understand(), file: this.file, text: this.#text, world: this.#world };
    return this.#view;
  }

  #understand(): Understood {
    const kind = this.#state === null ? kindOf(this.file, this.#text) : "sheet";
    if (kind === "other") return NOTHING;
    const isAny = this.#world.takesAll === true;
    const large = isAny ? null : tooLarge(this.#text, () => (this.#parts ??= partsOf(this.#text)));
    if (large !== null) return this.#refuse(large);
    return kind === "tests" ? this.#understandTests() : this.#understandSheet();
  }

  #understandSheet(): Understood {
    const { world, takesAll = false } = this.#world;
    const { state, diagnostics } =
      this.#state === null
        ? SheetState.read({ file: this.file, text: this.#text }, world, takesAll)
        : { state: this.#state, diagnostics: [] };
    const large = takesAll ? null : (state?.tooLarge() ?? null);
    if (large !== null) return this.#refuse(large);
    this.#state = state;
    if (state === null) return this.#unread("sheet", diagnostics);
    return { ...NOTHING, kind: "sheet", sheet: state.sheet, ...state.understand() };
  }

  #understandTests(): Understood {
    const large = tooManyCases(this.#text);
    if (large !== null) return this.#refuse(large);
    const { world, testedGraphs: graphs = [], testedErrors: _, takesAll: __, ...more } = this.#world;
    const source = { file: this.file, text: this.#text, rowLimit: TEST_ROWS };
    const tested = { graphs, agents: world.agents, ...more };
    const problems = new Problems(this.file, IN_EDITOR);
    const { sheet: tests, diagnostics } = understandTestText(source, tested, problems);
    if (tests === null) return this.#unread("tests", diagnostics);
    return { ...NOTHING, kind: "tests", tests, graphs, diagnostics: firstOfEach(diagnostics) };
  }

  #refuse(large: TooLarge): Understood {
    this.#state = null;
    return { ...NOTHING, diagnostics: leftToValidate(this.file, large) };
  }

  /** No sheet; a larger one than is read here has been told so. */
  #unread(kind: DocumentKind, diagnostics: readonly Diagnostic[]): Understood {
    const isLarge = diagnostics.some(({ code }) => code === "sheet-too-large");
    return { ...NOTHING, kind: isLarge ? "other" : kind, diagnostics: firstOfEach(diagnostics) };
  }

  #page(): Page {
    const { sheet, tests } = this.view();
    if (sheet !== null || tests !== null) return sheet ?? (tests as TestSheet);
    const { delimiter, start } = findFormat(this.#text, SHEET_WORDS);
    return { file: this.file, text: this.#text, delimiter, start };
  }
}

type Understood = Omit<View, "file" | "text" | "world">;

const NOTHING: Understood = { kind: "other", sheet: null, tests: null, graphs: [], diagnostics: [] };
