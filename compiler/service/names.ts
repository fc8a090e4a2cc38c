import { cellName } from "../1-parse/text/places.js";
import type { Range } from "../ir.js";
import type { View } from "./document.js";
import { caseHeaderNames, caseNames } from "./names/case-names.js";
import { rowsThatMayHold } from "./names/may-hold.js";
import { type Mention, type NameKey, type Role, sameName } from "./names/mention.js";
import { headerNames, namesOfKind, rowNames } from "./names/row-names.js";
import { pageOf, sceneOf } from "./names/scene.js";
import { rangeOf, rowAt, spotAt } from "./spot.js";

export type { NameKey, NameKind, Role } from "./names/mention.js";

/** The name at a place of a view. */
export interface Name extends NameKey {
  /** The stretch of the file that holds it, without quotes. */
  readonly range: Range;
}

/** A place where a name stands. */
export interface Occurrence {
  readonly range: Range;
  /** As a spreadsheet calls it, such as `F5`. */
  readonly cell: string;
  readonly role: Role;
}

/** The name at an offset, also right behind its last letter; null where none stands. */
export function nameAt(view: View, offset: number): Name | null {
  const mention = mentionAt(view, offset);
  const page = pageOf(view);
  return mention === null || page === null ? null : { ...mention.what, range: rangeOf(page, mention.at) };
}

/** The places of a view where a name stands, in the order of the file: all, or as many as are asked for. */
export function occurrences(view: View, name: NameKey, most = Infinity): readonly Occurrence[] {
  return placesOf(view, taken(mentionsOf(view, name), most));
}

/** So many of them at most. */
export function* taken<T>(all: Iterable<T>, most: number): Generator<T> {
  let count = 0;
  for (const one of all) {
    if (++count > most) return;
    yield one;
  }
}

/** Where mentions stand, in the order of the file, each place once. */
export function placesOf(view: View, mentions: Iterable<Mention>): readonly Occurrence[] {
  const page = pageOf(view);
  if (page === null) return [];
  const found = Array.from(
    mentions,
    ({ at, role }): Occurrence => ({
      range: rangeOf(page, at),
      cell: cellName(at.column, at.record),
      role,
    }),
  );
  const sorted = found.sort((a, b) => a.range.start - b.range.start);
  return sorted.filter(({ range }, i) => i === 0 || sorted[i - 1]?.range.start !== range.start);
}

/** What a name refers to: it is looked at before the name of the thing that the whole cell is about. */
export function mentionAt(view: View, offset: number): Mention | null {
  const page = pageOf(view);
  const spot = page === null ? null : spotAt(page, offset);
  if (spot === null) return null;
  const here = mentionsIn(view, spot.record).filter(
    ({ at }) => at.column === spot.column && at.start <= spot.offset && spot.offset <= at.end,
  );
  const length = ({ at }: Mention): number => at.end - at.start;
  const isImplied = ({ writing }: Mention): number => (writing.kind === "fixed" ? 1 : 0);
  // Of two names side by side the one that begins here is meant; of two in one stretch the first.
  const [first = null] = here.sort(
    (a, b) => isImplied(a) - isImplied(b) || length(a) - length(b) || b.at.start - a.at.start,
  );
  return first;
}

/** Every name in one record. */
function mentionsIn(view: View, record: number): readonly Mention[] {
  const { tests } = view;
  const scene = sceneOf(view);
  if (scene !== null) {
    if (record === scene.sheet.headerRecord) return headerNames(scene);
    const row = rowAt(scene.sheet.rows, record);
    return row === null ? [] : rowNames(scene, row);
  }
  if (record === tests?.header.record) return caseHeaderNames(view);
  const one = tests?.cases.find((each) => each.record === record);
  return one === undefined ? [] : caseNames(view, one);
}

/** Every mention of a name in a view, found as it is asked for: a name may stand a million times. */
export function* mentionsOf(view: View, name: NameKey, namesOf = namesOfKind(name.kind)): Generator<Mention> {
  for (const mention of mentionsWith(view, name, namesOf)) if (sameName(mention.what, name)) yield mention;
}

function* mentionsWith(view: View, name: NameKey, namesOf: typeof rowNames): Generator<Mention> {
  const scene = sceneOf(view);
  if (scene === null) {
    yield* caseHeaderNames(view);
    for (const one of view.tests?.cases ?? []) yield* caseNames(view, one);
    return;
  }
  if (name.kind === "setting") yield* headerNames(scene);
  const mayHold = rowsThatMayHold(scene, name);
  for (const row of scene.sheet.rows) if (mayHold(row)) yield* namesOf(scene, row);
}
