/** What the merges of splits make of what their branches write: analysis and printing follow the same rules. */

import type { GraphIR, MergeKind, SplitIR } from "./ir.js";

/** A type that some node leaves in a field. */
export interface Piece<T> {
  readonly node: number;
  readonly type: T;
}

/**
 * What a merge makes of the types that its branches write, and of those that the field may hold at the split: a list
 * begins with that. Of nothing at all it makes a list of anything.
 */
export type Merge<T> = (kind: MergeKind, written: readonly T[], held: readonly T[]) => T;

/** The types that are left in a field, after `merge` has made one of all that the branches of a split write. */
export type Merged = <T>(field: FieldPieces<T>, merge: Merge<T>) => readonly T[];

export interface FieldPieces<T> {
  readonly name: string;
  readonly pieces: readonly Piece<T>[];
  /** The caller may give it: what it can be, it can then be from the beginning. */
  readonly isGiven: boolean;
}

/** The nodes that each node leads to, one for each edge; what is no node is left out of account. */
export type Successors = (node: number) => ArrayLike<number>;

/** A split that merges, as one field sees it. */
interface Meeting {
  readonly node: number;
  readonly kind: MergeKind;
  readonly inside: ReadonlySet<number>;
  /** Branches that are entered at the split alone: what is written there is merged always. */
  readonly closed: readonly ReadonlySet<number>[];
  /** Where the run can go on when the branches have met. */
  readonly stops: readonly number[];
  /** The nodes that lead to the split. */
  readonly before: () => ReadonlySet<number>;
}

/** Splits that merge one field; where more do, of their lists is only said that they are lists. */
const MOST = 64;

export function createMerged({ size, splits }: Splits, next: Successors): Merged {
  const makers = makersByField(splits);
  let previous: Edges["previous"] | null = null;
  return (field, merge) => {
    const makes = makers.get(field.name) ?? [];
    const types = field.pieces.map(({ type }) => type);
    if (makes.length === 0) return types;
    if (makes.length > MOST) return [...types, merge("append", [], []), merge("sum", [], [])];
    previous ??= sources(size, next);
    const edges = { next, previous };
    const meetings = makes
      .map((make) => make(edges))
      .filter(({ inside }) => field.pieces.some(({ node }) => inside.has(node)));
    return meetings.length === 0 ? types : new Fold(field, meetings, merge).left();
  };
}

type MakeMeeting = (edges: Edges) => Meeting;

/** The splits that make something else of a field than what came last. */
function makersByField(splits: readonly SplitIR[]): ReadonlyMap<string, readonly MakeMeeting[]> {
  const makers = new Map<string, MakeMeeting[]>();
  for (const split of splits) {
    let made: Omit<Meeting, "kind"> | null = null;
    const make = (edges: Edges): Omit<Meeting, "kind"> => {
      made ??= meetingOf(split, edges);
      return made;
    };
    for (const [field, kind] of Object.entries(split.merge)) {
      if (kind === "last") continue;
      const known = makers.get(field) ?? [];
      makers.set(field, known);
      known.push((edges) => ({ ...make(edges), kind }));
    }
  }
  return makers;
}

interface Splits {
  /** How many nodes the graph has. */
  readonly size: number;
  readonly splits: GraphIR["splits"];
}

interface Edges {
  readonly next: Successors;
  readonly previous: readonly (readonly number[])[];
}

function sources(size: number, next: Successors): readonly (readonly number[])[] {
  const previous: number[][] = Array.from({ length: size }, () => []);
  for (let v = 0; v < size; v++) for (const w of Array.from(next(v))) previous[w]?.push(v);
  return previous;
}

function meetingOf(split: SplitIR, edges: Edges): Omit<Meeting, "kind"> {
  const branches = split.branches.map((nodes) => new Set(nodes));
  let before: ReadonlySet<number> | null = null;
  return {
    node: split.node,
    inside: new Set(split.branches.flat()),
    closed: branches.filter((branch) => !isOpen(branch, split, edges)),
    stops: [
      ...new Set(branches.flatMap((branch, at) => stopsOf(branch, split.targets[at] as number, edges))),
    ],
    before: () => (before ??= leadingTo(split.node, edges)),
  };
}

/** True for a branch that a run can also come to without this split. */
function isOpen(branch: ReadonlySet<number>, { node, targets }: SplitIR, { previous }: Edges): boolean {
  return [...branch].some((v) => {
    if (v === 0) return true;
    const outside = (previous[v] ?? []).filter((from) => !branch.has(from));
    return outside.length > targets.filter((to) => to === v).length || outside.some((from) => from !== node);
  });
}

const stopsOf = (branch: ReadonlySet<number>, target: number, { next }: Edges): readonly number[] =>
  [target, ...[...branch].flatMap((v) => Array.from(next(v)))].filter((v) => !branch.has(v));

function leadingTo(node: number, { previous }: Edges): ReadonlySet<number> {
  const found = new Set<number>();
  const pending = [node];
  for (let v = pending.pop(); v !== undefined; v = pending.pop()) {
    for (const from of previous[v] ?? []) {
      if (!found.has(from)) pending.push(from);
      found.add(from);
    }
  }
  return found;
}

/** Works out one field. What each merge is given and makes is found once. */
class Fold<T> {
  readonly #field: FieldPieces<T>;
  readonly #meetings: readonly Meeting[];
  readonly #merge: Merge<T>;
  readonly #keepers = new Map<number, readonly Keeper[]>();
  readonly #written = new Map<Meeting, readonly T[]>();
  /** Null while it is being made. */
  readonly #made = new Map<Meeting, T | null>();

  constructor(field: FieldPieces<T>, meetings: readonly Meeting[], merge: Merge<T>) {
    this.#field = field;
    this.#meetings = meetings;
    this.#merge = merge;
  }

  /** What no branch keeps for its merge. */
  left(): readonly T[] {
    return this.#typesOf((node) => this.#keepersOf(node).length === 0);
  }

  /** What the branches of a split write, as they come to its merge: inner merges are done by then. */
  #writtenTo(meeting: Meeting): readonly T[] {
    const { inside } = meeting;
    const isInner = ({ by }: Keeper): boolean => by !== meeting && inside.has(by.node);
    const found =
      this.#written.get(meeting) ??
      this.#typesOf((node) => inside.has(node) && !this.#keepersOf(node).some(isInner));
    this.#written.set(meeting, found);
    return found;
  }

  #typesOf(counts: (node: number) => boolean): readonly T[] {
    const plain = this.#field.pieces.filter(({ node }) => counts(node)).map(({ type }) => type);
    return [...plain, ...this.#meetings.filter(({ node }) => counts(node)).map((one) => this.#result(one))];
  }

  /** The branches that a node cannot be come to without. */
  #keepersOf(node: number): readonly Keeper[] {
    const found =
      this.#keepers.get(node) ??
      this.#meetings.flatMap((by) =>
        by.closed.filter((branch) => branch.has(node)).map((branch) => ({ by, branch })),
      );
    this.#keepers.set(node, found);
    return found;
  }

  #result(meeting: Meeting): T {
    const made = this.#made.get(meeting);
    // A list that comes round again holds lists that hold it: no type says how deep that goes.
    if (made === null) return this.#merge("append", [], []);
    if (made !== undefined) return made;
    this.#made.set(meeting, null);
    const type = this.#make(meeting);
    this.#made.set(meeting, type);
    return type;
  }

  #make(meeting: Meeting): T {
    const written = this.#writtenTo(meeting);
    if (meeting.kind === "sum") return this.#merge("sum", written, []);
    const plain = this.#field.pieces.filter(({ node }) => this.#isHeld(node, [node], meeting));
    const met = this.#meetings.filter((one) => one !== meeting && this.#isHeld(one.node, one.stops, meeting));
    const sums = met.filter(({ kind }) => kind === "sum").map((one) => this.#result(one));
    // The items of a list that is held are what its branches write: it may itself begin with what is made here.
    const items = met.filter(({ kind }) => kind === "append").flatMap((one) => this.#writtenTo(one));
    return this.#merge("append", [...written, ...items], [...plain.map(({ type }) => type), ...sums]);
  }

  /** Whether what a node leaves at some places can still be there at a split. */
  #isHeld(node: number, places: readonly number[], { node: split, before }: Meeting): boolean {
    if (this.#field.isGiven) return true;
    const leading = before();
    if (!places.some((v) => v === split || leading.has(v))) return false;
    // What leaves a branch has been merged.
    return this.#keepersOf(node).every(({ branch }) => branch.has(split));
  }
}

interface Keeper {
  readonly by: Meeting;
  readonly branch: ReadonlySet<number>;
}
