import type { Diagnostic } from "../../../../compiler/diagnostics/diagnostic.js";
import type { CompletionKind } from "../../../../compiler/service/complete/completion.js";
import type { EdgeKind } from "../../../draw/edges.js";
import type { Drawing } from "../../../draw/svg/geometry.js";
import type { WorldData } from "../../world-data.js";

/** A column of the file. */
export interface Column {
  readonly index: number;
  /** As the page names it, such as `On success`. */
  readonly name: string;
  /** As the file names it. */
  readonly header: string;
  readonly isNode: boolean;
  readonly isGraph: boolean;
  readonly isFilled: boolean;
}

/** A record behind the header. */
export interface TableRow {
  readonly record: number;
  readonly cells: readonly string[];
  readonly isComment: boolean;
  /** The names of its graph and its node; null for a record that is no row. */
  readonly graph: string | null;
  readonly node: string | null;
}

export interface NodeOfGraph {
  readonly name: string;
  readonly record: number;
  readonly agent: string;
  readonly family: string;
  readonly isReachable: boolean;
}

export interface EdgeOfGraph {
  readonly from: number;
  readonly to: number;
  readonly on: EdgeKind;
}

export interface GraphOfSheet {
  readonly name: string;
  readonly nodes: readonly NodeOfGraph[];
  readonly edges: readonly EdgeOfGraph[];
}

export type Problem = Pick<
  Diagnostic,
  "code" | "severity" | "message" | "label" | "help" | "span" | "node" | "graph"
> & {
  /** Its number among the problems of the text, by which its fix is asked for. */
  readonly id: number;
  readonly fix: { readonly title: string; readonly safe: boolean } | null;
};

/** What the compiler knows of a sheet. */
export interface Understood {
  readonly graphs: readonly GraphOfSheet[];
  readonly problems: readonly Problem[];
}

/** A stretch of a text that is another one now. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A cell that is being written, over a text that others do not see. */
export interface Written {
  /** What makes the row that is written in, when it is not there yet. */
  readonly made: readonly Splice[];
  readonly record: number;
  readonly column: number;
  readonly text: string;
  readonly caret: number;
}

/** One thing that may be written: the cell's text with it, and where the caret is then. */
export interface Offered {
  readonly label: string;
  readonly kind: CompletionKind;
  readonly detail: string;
  readonly text: string;
  readonly caret: number;
}

/** What is known of a cell that is being written. */
export interface Judged {
  readonly problems: readonly Problem[];
  readonly offers: readonly Offered[];
  /** The cell's text with a fix that changes nothing else. */
  readonly fixes: readonly { readonly title: string; readonly text: string }[];
}

export interface CellPlace {
  readonly record: number;
  readonly column: number;
}

/** A name in other cells, and the text with all of them exchanged; null where it cannot be. */
export type Renamed = { readonly text: string } | { readonly why: string };

export type Question =
  | { readonly kind: "open"; readonly file: string; readonly text: string; readonly world: WorldData }
  | { readonly kind: "edit"; readonly splices: readonly Splice[] }
  | { readonly kind: "world"; readonly world: WorldData }
  /** What is wrong with another text of the same sheet. */
  | { readonly kind: "problems"; readonly text: string }
  | { readonly kind: "judge"; readonly written: Written }
  | { readonly kind: "mentions"; readonly cell: CellPlace }
  | { readonly kind: "rename"; readonly cell: CellPlace; readonly to: string }
  /** The text with one fix, or with all safe ones. */
  | { readonly kind: "fix"; readonly problem: number | "safe" }
  | { readonly kind: "draw"; readonly graph: string };

export interface Answers {
  readonly open: Understood;
  readonly edit: Understood;
  readonly world: Understood;
  readonly problems: readonly Problem[];
  readonly judge: Judged;
  /** How many other cells hold the name of this one. */
  readonly mentions: number;
  readonly rename: Renamed;
  readonly fix: string;
  readonly draw: Drawing | null;
}

/** A question or an answer with its number. */
export interface Numbered<T> {
  readonly number: number;
  readonly content: T;
}
