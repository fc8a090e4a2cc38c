/** What the merges of splits make of what their branches write. */

import { type Branches, type BranchNumber, NO_BRANCH } from "../../branches.js";
import type { FieldType, MergeKind, SplitIR } from "../../ir.js";
import { NUMBER } from "../../types/field-type.js";
import { mergedList } from "../../types/union.js";

/** A type that some node leaves in a field. */
export interface Piece {
  readonly node: number;
  readonly type: FieldType;
}

/** The types that are left in a field, after merges have made one of all that the branches of a split write. */
export type Merged = (field: FieldPieces) => readonly FieldType[];

interface FieldPieces {
  readonly name: string;
  readonly pieces: readonly Piece[];
  /** The caller may give it: what it can be, it can then be from the beginning. */
  readonly isGiven: boolean;
}

/** The nodes that each node leads to, one for each edge; what is no node is left out of account. */
export type Successors = (node: number) => ArrayLike<number>;

/** A split that merges one field. */
interface Merging {
  readonly split: number;
  readonly kind: MergeKind;
}

/** What the splits of a graph do with fields that their branches write. */
export interface Merges {
  readonly isEmpty: boolean;
  /** The splits that name a field, in their order. */
  readonly naming: (field: string) => readonly Merging[];
  /** What those do of which a node stands in a branch. */
  readonly around: (node: number, field: string) => readonly MergeKind[];
}

const NO_MERGES: readonly Merging[] = [];

export function findMerges(splits: readonly SplitIR[], { find }: Branches): Merges {
  const byField = new Map<string, Merging[]>();
  splits.forEach(({ merge }, split) => {
    for (const [field, kind] of Object.entries(merge)) {
      const known = byField.get(field);
      if (known === undefined) byField.set(field, [{ split, kind }]);
      else known.push({ split, kind });
    }
  });
  const naming = (field: string): readonly Merging[] => byField.get(field) ?? NO_MERGES;
  return {
    isEmpty: byField.size === 0,
    naming,
    around: (node, field) =>
      naming(field).flatMap(({ split, kind }) => (find(split, node) === NO_BRANCH ? [] : [kind])),
  };
}

/** A split that merges, as one field sees it. */
interface Meeting extends Merging {
  readonly node: number;
  /** The branch that owns a node, if it is entered at the split alone. What is written there is always merged. */
  readonly closed: (v: number) => BranchNumber;
  readonly isInside: (v: number) => boolean;
  /** Where the run can go on when the branches have met. */
  readonly stops: readonly number[];
  /** Whether a node leads to the split. */
  readonly leads: (v: number) => boolean;
}

/** When more splits than this merge a field, its type is a list or a number: nested types would have no end. */
const MOST = 64;

/** True for a field that too many splits merge to say more of its type than list or number. */
export const isToldByKind = (merging: readonly { readonly kind: MergeKind }[]): boolean =>
  merging.filter(({ kind }) => kind !== "last").length > MOST;

interface Shape {
  /** How many nodes the graph has. */
  readonly size: number;
  readonly splits: readonly SplitIR[];
  readonly branches: Branches;
}

export function createMerged(shape: Shape, next: Successors): Merged {
  const { naming } = findMerges(shape.splits, shape.branches);
  let previous: Previous | null = null;
  const edges = (): Previous => (previous ??= sources(shape.size, next));
  const known = new Map<number, Omit<Meeting, "kind">>();
  const meetingAt = (split: number): Omit<Meeting, "kind"> => {
    const made = known.get(split) ?? meetingOf(shape, split, edges);
    known.set(split, made);
    return made;
  };
  return (field) => {
    const merging = naming(field.name).filter(({ kind }) => kind !== "last");
    const types = field.pieces.map(({ type }) => type);
    if (merging.length === 0) return types;
    if (isToldByKind(merging)) return [...types, mergedList([], []), NUMBER];
    const meetings = merging
      .map(({ split, kind }) => ({ ...meetingAt(split), kind }))
      .filter(({ isInside }) => field.pieces.some(({ node }) => isInside(node)));
    return meetings.length === 0 ? types : new Fold(field, { meetings, branches: shape.branches }).left();
  };
}

/** The nodes that lead to each node. */
type Previous = readonly (readonly number[])[];

function sources(size: number, next: Successors): Previous {
  const previous: number[][] = Array.from({ length: size }, () => []);
  for (let v = 0; v < size; v++) for (const w of Array.from(next(v))) previous[w]?.push(v);
  return previous;
}

function meetingOf(
  { size, splits, branches }: Shape,
  split: number,
  previous: () => Previous,
): Omit<Meeting, "kind"> {
  const { node, branches: parts } = splits[split] as SplitIR;
  const first = branches.at(split, 0);
  let leading: Uint8Array | null = null;
  return {
    split,
    node,
    isInside: (v) => branches.find(split, v) !== NO_BRANCH,
    closed: (v) => {
      const branch = branches.find(split, v);
      // A run can come to others without this split, and so to what they lead to.
      return branch === NO_BRANCH || (parts[branch - first]?.others.length ?? 0) > 0 ? NO_BRANCH : branch;
    },
    stops: [...new Set(parts.flatMap(({ stops }) => stops))],
    leads: (v) => {
      leading ??= leadingTo(node, size, previous());
      return leading[v] === 1;
    },
  };
}

function leadingTo(node: number, size: number, previous: Previous): Uint8Array {
  const found = new Uint8Array(size);
  const pending = [node];
  for (let v = pending.pop(); v !== undefined; v = pending.pop()) {
    for (const from of previous[v] ?? []) {
      if (found[from] === 0) pending.push(from);
      found[from] = 1;
    }
  }
  return found;
}

interface Meetings {
  readonly meetings: readonly Meeting[];
  readonly branches: Branches;
}

/** Works out one field. What each merge is given and makes is found once. */
class Fold {
  readonly #field: FieldPieces;
  readonly #meetings: readonly Meeting[];
  readonly #branches: Branches;
  readonly #keepers = new Map<number, readonly Keeper[]>();
  readonly #written = new Map<Meeting, readonly FieldType[]>();
  /** Null while it is being made. */
  readonly #made = new Map<Meeting, FieldType | null>();

  constructor(field: FieldPieces, { meetings, branches }: Meetings) {
    this.#field = field;
    this.#meetings = meetings;
    this.#branches = branches;
  }

  /** What no branch keeps for its merge. */
  left(): readonly FieldType[] {
    return this.#typesOf((node) => this.#keepersOf(node).length === 0);
  }

  /** What the branches of a split write, as they come to its merge: inner merges are done by then. */
  #writtenTo(meeting: Meeting): readonly FieldType[] {
    const { isInside } = meeting;
    const isInner = ({ by }: Keeper): boolean => by !== meeting && isInside(by.node);
    const found =
      this.#written.get(meeting) ??
      this.#typesOf((node) => isInside(node) && !this.#keepersOf(node).some(isInner));
    this.#written.set(meeting, found);
    return found;
  }

  #typesOf(counts: (node: number) => boolean): readonly FieldType[] {
    const plain = this.#field.pieces.filter(({ node }) => counts(node)).map(({ type }) => type);
    return [...plain, ...this.#meetings.filter(({ node }) => counts(node)).map((one) => this.#result(one))];
  }

  /** The branches that a node cannot be come to without. */
  #keepersOf(node: number): readonly Keeper[] {
    const found =
      this.#keepers.get(node) ??
      this.#meetings.flatMap((by) => {
        const branch = by.closed(node);
        return branch === NO_BRANCH ? [] : [{ by, branch }];
      });
    this.#keepers.set(node, found);
    return found;
  }

  #result(meeting: Meeting): FieldType {
    const made = this.#made.get(meeting);
    // In a loop the list would contain itself: no type says how deep that goes.
    if (made === null) return mergedList([], []);
    if (made !== undefined) return made;
    this.#made.set(meeting, null);
    const type = this.#make(meeting);
    this.#made.set(meeting, type);
    return type;
  }

  #make(meeting: Meeting): FieldType {
    if (meeting.kind === "sum") return NUMBER;
    const plain = this.#field.pieces.filter(({ node }) => this.#isHeld(node, [node], meeting));
    const met = this.#meetings.filter((one) => one !== meeting && this.#isHeld(one.node, one.stops, meeting));
    const sums = met.filter(({ kind }) => kind === "sum").map((one) => this.#result(one));
    // The items of a list that is held are what its branches write: it may itself begin with what is made here.
    const items = met.filter(({ kind }) => kind === "append").flatMap((one) => this.#writtenTo(one));
    return mergedList([...this.#writtenTo(meeting), ...items], [...plain.map(({ type }) => type), ...sums]);
  }

  /** Whether what a node leaves at some places can still be there at a split. */
  #isHeld(node: number, places: readonly number[], { node: split, leads }: Meeting): boolean {
    if (this.#field.isGiven) return true;
    // What leaves a branch has been merged.
    if (!this.#keepersOf(node).every(({ branch }) => this.#branches.has(branch, split))) return false;
    return places.some((v) => v === split || leads(v));
  }
}

interface Keeper {
  readonly by: Meeting;
  readonly branch: BranchNumber;
}
