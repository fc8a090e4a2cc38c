import type { Diagnostic } from "../../../../compiler/diagnostics/diagnostic.js";
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
>;

/** What the page knows of a sheet. */
export interface Understood {
  readonly columns: readonly Column[];
  readonly rows: readonly TableRow[];
  readonly graphs: readonly GraphOfSheet[];
  readonly problems: readonly Problem[];
}

export type Question =
  | { readonly kind: "open"; readonly file: string; readonly text: string; readonly world: WorldData }
  | { readonly kind: "draw"; readonly graph: string };

export interface Answers {
  readonly open: Understood;
  readonly draw: Drawing | null;
}

/** A question or an answer with its number. */
export interface Numbered<T> {
  readonly number: number;
  readonly content: T;
}
