/** The longest line of a module, as far as names allow it. */
export const WIDTH = 120;

/** Text that is laid out on one line where it fits, and over several where it does not. */
export type Doc = string | Group | Fitted | readonly Doc[];

/** Items between brackets: on one line, or one on each line. */
interface Group {
  readonly kind: "group";
  readonly open: string;
  readonly close: string;
  readonly items: readonly Doc[];
  /** `{ a }` instead of `[a]`. */
  readonly isSpaced: boolean;
}

/** Text with a second form for the case that it does not fit on the rest of the line. */
interface Fitted {
  readonly kind: "fitted";
  /** Null when it never stands on one line. */
  readonly flat: string | null;
  readonly broken: (indent: number) => string;
}

export const braces = (items: readonly Doc[]): Doc => group("{", "}", items);
export const brackets = (items: readonly Doc[]): Doc => group("[", "]", items);
export const angles = (items: readonly Doc[]): Doc => group("<", ">", items);

function group(open: string, close: string, items: readonly Doc[]): Doc {
  if (items.length === 0) return open + close;
  return { kind: "group", open, close, items, isSpaced: open === "{" };
}

/** Alternatives of a type: `a | b`, or each on a line of its own. */
export function union(members: readonly string[]): Doc {
  const [only] = members;
  if (only === undefined) return "never";
  if (members.length === 1) return only;
  return {
    kind: "fitted",
    flat: members.join(" | "),
    broken: (indent) => members.map((member) => `${line(indent + 2)}| ${member}`).join(""),
  };
}

export const line = (indent: number): string => `\n${" ".repeat(indent)}`;

interface Spot {
  /** Spaces before the line that the text begins in. */
  readonly indent: number;
  readonly column: number;
  /** Characters that must fit on the line after it. */
  readonly tail: number;
}

/** Lays a text out. Cost: linear in the text times its depth. */
export function layOut(doc: Doc, spot: Spot): string {
  if (typeof doc === "string") return doc;
  const flat = flatten(doc, WIDTH - spot.column - spot.tail);
  if (flat !== null) return flat;
  if (isList(doc)) return layOutParts(doc, spot);
  return doc.kind === "fitted" ? doc.broken(spot.indent) : layOutGroup(doc, spot.indent);
}

const isList = (doc: Doc): doc is readonly Doc[] => Array.isArray(doc);

function layOutParts(parts: readonly Doc[], { indent, column, tail }: Spot): string {
  let text = "";
  let at = column;
  for (const [index, part] of parts.entries()) {
    const laid = layOut(part, { indent, column: at, tail: headOf(parts.slice(index + 1), tail) });
    text += laid;
    const end = laid.lastIndexOf("\n");
    at = end === -1 ? at + laid.length : laid.length - end - 1;
  }
  return text;
}

function layOutGroup({ open, close, items }: Group, indent: number): string {
  const inner = indent + 2;
  const lines = items.map((item) => {
    const text = layOut(item, { indent: inner, column: inner, tail: 1 });
    // A broken text may begin with a line end already.
    return text.startsWith("\n") ? text : `${line(inner)}${text}`;
  });
  // A list of types takes no comma after its last one.
  return `${open}${lines.join(",")}${close === ">" ? "" : ","}${line(indent)}${close}`;
}

/** The width of the following text up to the first bracket that may break: so much must fit on the line. */
function headOf(parts: readonly Doc[], tail: number): number {
  let width = 0;
  for (const part of parts) {
    if (typeof part === "string") {
      width += part.length;
      continue;
    }
    if (isList(part)) return width + headOf(part, 0);
    return part.kind === "group" ? width + part.open.length : width;
  }
  return width + tail;
}

/** The text on one line; null when it is wider than `room`. */
function flatten(doc: Doc, room: number): string | null {
  if (room < 0) return null;
  if (typeof doc === "string") return doc.length <= room && !doc.includes("\n") ? doc : null;
  if (isList(doc)) return flattenAll(doc, "", room);
  if (doc.kind === "fitted") return doc.flat === null || doc.flat.length > room ? null : doc.flat;
  const space = doc.isSpaced ? " " : "";
  const brackets = doc.open.length + doc.close.length + 2 * space.length;
  const inside = flattenAll(doc.items, ", ", room - brackets);
  return inside === null ? null : `${doc.open}${space}${inside}${space}${doc.close}`;
}

function flattenAll(docs: readonly Doc[], separator: string, room: number): string | null {
  let text = "";
  for (let i = 0; i < docs.length; i++) {
    if (i > 0) text += separator;
    const flat = flatten(docs[i]!, room - text.length);
    if (flat === null) return null;
    text += flat;
  }
  return text.length <= room ? text : null;
}
