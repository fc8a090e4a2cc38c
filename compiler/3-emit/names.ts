import type { GraphIR } from "../ir.js";

function words(name: string): readonly string[] {
  const split = name.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2");
  return split.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
}

const upper = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

const plain = (text: string): string => text.normalize("NFKD").replace(/[^A-Za-z0-9]/g, "");

/** `order approval` as a type's name: `OrderApproval`. */
export function pascalCase(name: string): string {
  const text = words(name)
    .map((word) => upper(plain(word)))
    .join("");
  return /^[A-Za-z]/.test(text) ? text : `Graph${text}`;
}

/** `HTTPCheck` becomes `HTTP Check`, but `FAQs` stays as it is. */
export const splitAcronyms = (name: string): string =>
  name.replace(/(?<=\p{Lu})(?=\p{Lu}(?!s(?!\p{Ll}))\p{Ll})/gu, " ");

/** `Order Approval` as a value's name: `orderApproval`. An acronym that begins it is one word: `FAQBot` is `faqBot`. */
export function camelCase(name: string): string {
  const [first = "", ...others] = words(splitAcronyms(name))
    .map(plain)
    .filter((word) => word !== "");
  // In a name that is all capitals an acronym looks like any other word.
  const isShouted = !/[a-z]/.test(first + others.join(""));
  const rest = others.map((word) => upper(isShouted ? word.toLowerCase() : word)).join("");
  return /^[A-Za-z]/.test(first) ? first.toLowerCase() + rest : `graph${first}${rest}`;
}

/** `OrderApproval` as a file's name: `order-approval`; empty for a name without ASCII letters and digits. */
export function kebabCase(name: string): string {
  const text = words(name)
    .map((word) => plain(word).toLowerCase())
    .filter((word) => word !== "");
  return text.join("-");
}

/** Windows reserves these names for devices; `index` is the index of the modules. */
const KEPT = /^(?:index|con|prn|aux|nul|com\d|lpt\d)$/;
const LONGEST = 80;

/**
 * The file names of graphs, without `.gen.ts`. They differ also on file systems that ignore case.
 * Graphs that would share a name get it in the order of their names and sheets, whatever the order of the rows:
 * the first has the name, and others end in a hash. Names in `kept` belong to other modules.
 */
export function moduleNames(
  graphs: readonly Pick<GraphIR, "name" | "file">[],
  kept: readonly string[] = [],
): readonly string[] {
  const names = new Map<number, string>();
  const taken = new Set<string>(kept);
  const identity = ({ name, file }: Pick<GraphIR, "name" | "file">): string =>
    `${name}\n${file.replaceAll("\\", "/")}`;
  const order = [...graphs.keys()].sort((a, b) => (identity(graphs[a]!) < identity(graphs[b]!) ? -1 : 1));
  for (const index of order) {
    const { name } = graphs[index]!;
    const plain = plainName(name);
    const known = plain === null || taken.has(plain);
    const unique = known
      ? `${(plain ?? "graph").slice(0, LONGEST)}-${shortHash(identity(graphs[index]!))}`
      : plain;
    taken.add(unique);
    names.set(index, unique);
  }
  return graphs.map((_, index) => names.get(index)!);
}

/** Null when a graph's name does not make the name of a file. */
function plainName(name: string): string | null {
  const plain = kebabCase(name);
  if (plain === "" || plain.length > LONGEST) return null;
  return KEPT.test(plain) ? `${plain}-graph` : plain;
}

/** FNV-1a. */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
