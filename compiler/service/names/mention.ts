import type { NodeIR, Range, RecordSpan } from "../../ir.js";

export type NameKind = "node" | "field" | "graph" | "agent" | "setting" | "reference" | "param";

/** A thing that has a name, wherever it is written. */
export interface NameKey {
  readonly kind: NameKind;
  readonly name: string;
  /** The sheet that the graph stands in; null when nobody knows it, and for what belongs to no sheet. */
  readonly file: string | null;
  /** The graph of a node, field or param. */
  readonly graph: string | null;
  /** The node of a param: the name under which its agent knows an input. */
  readonly node: string | null;
}

export type Role = "declares" | "writes" | "reads" | "names";

/** How a new name is written in the place of the old one. */
export type Writing =
  /** The stretch is the name as it is. */
  | { readonly kind: "plain" }
  /** A part of a text in JSON, or in what is understood as JSON; `token` is the text with its quotes. */
  | {
      readonly kind: "json";
      readonly token: Range;
      readonly value: string;
      readonly from: number;
      /** What needs an escape is not understood here. */
      readonly isVerbatim?: true;
    }
  /** A name in a formula, which may need quotes there. */
  | { readonly kind: "formula"; readonly spelled: (name: string) => string }
  /** The cell of a setting's own column: what looks like JSON there is no text. */
  | { readonly kind: "setting" }
  /** A name in `A>B`. */
  | { readonly kind: "path" }
  /** It follows from what is written elsewhere, or stays under its own name. */
  | { readonly kind: "kept" }
  /** Nothing can be written here. */
  | { readonly kind: "fixed"; readonly why: string };

/** One side of an item in a list of fields: `left=right`. A bare item has one stretch for both. */
export interface ItemSide {
  readonly list: "inputs" | "outputs";
  readonly index: number;
  readonly side: "left" | "right";
}

/** A place where a name stands, by record and column; offsets count in the cell's decoded text. */
export interface Mention {
  readonly what: NameKey;
  readonly role: Role;
  readonly at: RecordSpan;
  readonly writing: Writing;
  readonly item?: ItemSide;
  /** The node for whose one value this entry of a test stands: it is called as the output is. */
  readonly standsFor?: NodeIR;
  /** It names an input of its node: by the agent's name for it, or by its field. */
  readonly input?: { readonly index: number; readonly by: "left" | "right" };
}

export const PLAIN: Writing = { kind: "plain" };

export const nodeKey = (file: string | null, graph: string, name: string): NameKey => ({
  ...{ kind: "node", name, file, graph, node: null },
});

export const fieldKey = (file: string | null, graph: string, name: string): NameKey => ({
  ...{ kind: "field", name, file, graph, node: null },
});

export const graphKey = (file: string | null, name: string): NameKey => ({
  ...{ kind: "graph", name, file, graph: name, node: null },
});

/** A name that no graph owns. */
export const freeKey = (kind: "agent" | "setting" | "reference", name: string): NameKey => ({
  ...{ kind, name, file: null, graph: null, node: null },
});

export const sameName = (a: NameKey, b: NameKey): boolean =>
  a.kind === b.kind && a.name === b.name && a.file === b.file && a.graph === b.graph && a.node === b.node;
