import type { Node, Pair } from "yaml";
import { createLineIndex } from "../../compiler/diagnostics/lines.js";
import { LIST_LIMIT } from "../../compiler/diagnostics/listing.js";
import { once } from "../lazy.js";
import type { DataPath, Locator, Spot } from "./findings.js";
import type { YamlDocument } from "./yaml.js";

interface Entry {
  readonly key: Node | null;
  readonly value: Node | null;
}

/** The place of a missing setting is that of the section it belongs to. */
export function createLocator(file: string, document: YamlDocument, text: string): Locator {
  const lines = once(() => createLineIndex(text));
  let left = LIST_LIMIT;
  return (path, spot) => {
    // A listing shows at most this many findings. Locating all findings of a broken file would take minutes.
    const [start, end] = left-- > 0 ? rangeOf(document, path, spot) : [text.length, text.length];
    const from = lines().positionOf(start);
    const to = lines().positionOf(Math.max(start, end));
    return { file, line: from.line, column: from.column, endLine: to.line, endColumn: to.column, cell: null };
  };
}

function rangeOf(document: YamlDocument, path: DataPath, spot: Spot): readonly [number, number] {
  let at: Entry = { key: null, value: document.contents };
  for (const [index, step] of path.entries()) {
    const next = childOf(at.value, step);
    // A missing setting is reported at the key of its section.
    if (next === null) return nodeRange(at.key ?? firstKey(at.value)) ?? [0, 0];
    at = next;
    if (index === path.length - 1 && spot === "key") return nodeRange(at.key ?? at.value) ?? [0, 0];
  }
  const range = nodeRange(at.value);
  const block = at.key !== null && at.value !== null && "items" in at.value;
  // A frame around a whole section would be long, so only its key is marked.
  return (block ? nodeRange(at.key) : (range ?? nodeRange(at.key))) ?? [0, 0];
}

function firstKey(node: Node | null): Node | null {
  const [item] = itemsOf(node);
  return isPair(item) ? (item.key as Node | null) : null;
}

export function childOf(node: Node | null, step: string | number): Entry | null {
  const items = itemsOf(node);
  if (typeof step === "number") {
    const item = items[step];
    return item === undefined || isPair(item) ? null : { key: null, value: item as Node | null };
  }
  for (const item of items) {
    if (isPair(item) && keyText(item) === step)
      return { key: item.key as Node, value: item.value as Node | null };
  }
  return null;
}

export function itemsOf(node: Node | null): readonly unknown[] {
  return node !== null && "items" in node && Array.isArray(node.items) ? node.items : [];
}

export const isPair = (item: unknown): item is Pair =>
  typeof item === "object" && item !== null && "key" in item && "value" in item;

export const keyText = ({ key }: Pair): string =>
  String(typeof key === "object" && key !== null && "value" in key ? key.value : key);

export function nodeRange(node: Node | null): readonly [number, number] | null {
  const range = node?.range;
  return range ? [range[0], range[1]] : null;
}
