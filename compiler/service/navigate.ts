import { cellName } from "../1-parse/text/places.js";
import type { FieldIR, NodeIR, Range } from "../ir.js";
import type { View } from "./document.js";
import { EDITOR_LIMITS } from "./limits.js";
import { fieldKey, type Mention } from "./names/mention.js";
import { listedNames } from "./names/row-names.js";
import { graphsOf, sceneOf } from "./names/scene.js";
import { mentionAt, mentionsOf, type NameKey, type Occurrence, occurrences, placesOf } from "./names.js";
import { rangeOf } from "./spot.js";

/** Where a name leads to. */
export type Definition =
  /** A place of this file. */
  | { readonly kind: "place"; readonly file: string; readonly range: Range }
  /** A name of another sheet: `declarations` of that file's view finds its places. */
  | { readonly kind: "name"; readonly name: NameKey }
  /** A class of the project's agents, by the type that it is looked up by. */
  | { readonly kind: "agent"; readonly name: string }
  /** A prompt in a file, by its path, or by its name. */
  | { readonly kind: "file" | "prompt"; readonly name: string };

/** What the name at an offset leads to; several for a field with several writers, none where nothing is defined. */
export function definition(view: View, offset: number): readonly Definition[] {
  const mention = mentionAt(view, offset);
  if (mention === null) return [];
  const { what } = mention;
  if (what.kind === "agent") return isBuiltin(view, what.name) ? [] : [{ kind: "agent", name: what.name }];
  if (what.kind === "reference") {
    const colon = what.name.indexOf(":");
    const kind = what.name.startsWith("file:") ? "file" : "prompt";
    return [{ kind, name: what.name.slice(colon + 1) }];
  }
  if (what.kind === "setting") return [];
  if (view.kind !== "sheet" || what.file !== view.file) return [{ kind: "name", name: what }];
  return declarations(view, what).map(({ range }) => ({ kind: "place", file: view.file, range }));
}

const isBuiltin = ({ world }: View, type: string): boolean =>
  world.world.agents.some((facts) => facts.type === type);

/** Where a name is defined in its own sheet: a node's row, a graph's first row, the writers of a field. */
export function declarations(view: View, name: NameKey): readonly Occurrence[] {
  if (name.kind !== "field") return occurrences(view, name).filter(({ role }) => role === "declares");
  const writing = writersOf(view, name);
  if (writing.length > 0) return placesOf(view, writing);
  const known = fieldNamed(view, name);
  const nodes = graphNamed(view, name)?.nodes ?? [];
  // Nobody writes it: the caller gives it, or what fails sets it.
  const setters =
    name.name === "error"
      ? nodes.filter((node) => setsError(view, node))
      : nodes.slice(0, known?.input === null || known === undefined ? 0 : 1);
  return setters.flatMap(({ index }) => rowPlace(view, index));
}

/** The name of a row's node. */
function rowPlace(view: View, index: number): readonly Occurrence[] {
  const scene = sceneOf(view);
  const row = scene?.sheet.rows[index];
  if (scene === null || row === undefined) return [];
  const at = scene.span(row.node.at);
  return [{ range: rangeOf(scene.sheet, at), cell: cellName(at.column, at.record), role: "declares" }];
}

/** A failure of it, or an error that an edge takes, sets the field `error`. */
function setsError({ world }: View, { agent, onFailure }: NodeIR): boolean {
  const facts = agent.builtin ? world.world.agents.find(({ type }) => type === agent.type) : undefined;
  return facts?.outcome === "fails" || (onFailure.length > 0 && facts?.setsError !== false);
}

/** Where nodes of its own graph write a field: graphs that call it write it from outside. */
function writersOf(view: View, { file, graph, name }: NameKey): readonly Mention[] {
  const listed = [...mentionsOf(view, fieldKey(file, graph ?? "", name), listedNames)];
  return listed.filter(({ item, role }) => item?.side === "right" && role === "writes");
}

const graphNamed = (view: View, { graph, file }: NameKey) =>
  graphsOf(view).find((one) => one.name === graph && one.file === file);

function fieldNamed(view: View, name: NameKey): FieldIR | undefined {
  return graphNamed(view, name)?.fields.find((one) => one.name === name.name);
}

/** The places of a view that mean the same as the name at an offset: of the view itself, or of the other view given. */
export function references(view: View, offset: number, within: View = view): readonly Occurrence[] {
  const mention = mentionAt(view, offset);
  return mention === null ? [] : occurrences(within, mention.what, EDITOR_LIMITS.places);
}

/** The places of this view to light up, each as one that writes or one that reads. */
export function highlights(
  view: View,
  offset: number,
): readonly { readonly range: Range; readonly kind: "write" | "read" }[] {
  return references(view, offset).map(({ range, role }) => ({
    range,
    kind: role === "declares" || role === "writes" ? "write" : "read",
  }));
}
