import { cellName } from "../1-parse/text/places.js";
import type { FieldIR, NodeIR, Range } from "../ir.js";
import type { View } from "./document.js";
import { fieldKey, type Mention } from "./names/mention.js";
import { graphsOf, pageOf, sceneOf } from "./names/scene.js";
import { mentionAt, mentionsOf, type NameKey, type Occurrence, occurrences } from "./names.js";
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
  const all = occurrences(view, name);
  if (name.kind !== "field") return all.filter(({ role }) => role === "declares");
  const writing = ownMentions(view, name).filter(({ role }) => role === "writes");
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

/** The mentions of a field in its own graph: graphs that call it write and read it from outside. */
const ownMentions = (view: View, { file, graph, name }: NameKey): readonly Mention[] =>
  mentionsOf(view, fieldKey(file, graph ?? "", name)).filter(({ item }) => item?.side === "right");

function placesOf(view: View, mentions: readonly Mention[]): readonly Occurrence[] {
  const page = pageOf(view);
  if (page === null) return [];
  const places = new Set(mentions.map(({ at }) => rangeOf(page, at).start));
  const [first] = mentions;
  return first === undefined
    ? []
    : occurrences(view, first.what).filter(({ range }) => places.has(range.start));
}

const graphNamed = (view: View, { graph, file }: NameKey) =>
  graphsOf(view).find((one) => one.name === graph && one.file === file);

function fieldNamed(view: View, name: NameKey): FieldIR | undefined {
  return graphNamed(view, name)?.fields.find((one) => one.name === name.name);
}

/** Every place of a view that means the same as the name at an offset: of the view itself, or of the other view given. */
export function references(view: View, offset: number, within: View = view): readonly Occurrence[] {
  const mention = mentionAt(view, offset);
  return mention === null ? [] : occurrences(within, mention.what);
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
