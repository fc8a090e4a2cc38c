import type { FieldType, MergeKind, SplitIR } from "../../ir.js";
import { NUMBER } from "../../types/field-type.js";
import { mergedList } from "../../types/union.js";
import { type Branches, type BranchNumber, NO_BRANCH } from "../flow/branches.js";
import { type Digraph, reachableFrom, reversed } from "../flow/digraph.js";
import { memo, once } from "../flow/once.js";
import { groupBy } from "../group-by.js";

export interface Piece {
  readonly node: number;
  readonly type: FieldType;
}

/** The types that a field can have after all merges. */
export type Merged = (field: FieldPieces) => readonly FieldType[];

interface FieldPieces {
  readonly name: string;
  readonly pieces: readonly Piece[];
  /** The caller may give it: then it can have each of its types from the beginning. */
  readonly isGiven: boolean;
}

interface Merging {
  readonly split: number;
  readonly kind: MergeKind;
}

export interface Merges {
  readonly isEmpty: boolean;
  /** The splits that merge a field, in their order. */
  readonly naming: (field: string) => readonly Merging[];
  /** The merges of a field at the splits around a node. */
  readonly around: (node: number, field: string) => readonly MergeKind[];
}

const NO_MERGES: readonly Merging[] = [];

export function findMerges(splits: readonly SplitIR[], { find }: Branches): Merges {
  const all = splits.flatMap(({ merge }, split) =>
    Object.entries(merge).map(([field, kind]) => ({ field, split, kind })),
  );
  const byField = groupBy(all, ({ field }) => field);
  const naming = (field: string): readonly Merging[] => byField.get(field) ?? NO_MERGES;
  return {
    isEmpty: byField.size === 0,
    naming,
    around: (node, field) =>
      naming(field).flatMap(({ split, kind }) => (find(split, node) === NO_BRANCH ? [] : [kind])),
  };
}

interface Meeting extends Merging {
  readonly node: number;
  /** The branch of a node, if no edge from elsewhere enters the branch. Writes there are always merged. */
  readonly closed: (v: number) => BranchNumber;
  readonly isInside: (v: number) => boolean;
  /** The nodes where a run can continue after the merge. */
  readonly stops: readonly number[];
  /** Whether a node leads to the split, or is its node. */
  readonly leads: (v: number) => boolean;
}

/** With more merges of one field than this, its type is a plain list or number: nested types would grow too large. */
const MOST = 64;

export const isToldByKind = (merging: readonly { readonly kind: MergeKind }[]): boolean =>
  merging.filter(({ kind }) => kind !== "last").length > MOST;

export interface Shape {
  readonly splits: readonly SplitIR[];
  readonly branches: Branches;
  readonly graph: Digraph;
}

export function createMerged(shape: Shape, { naming }: Merges): Merged {
  const back = once(() => reversed(shape.graph));
  const meetingAt = memo((split: number) => meetingOf(shape, split, back));
  return (field) => {
    const merging = naming(field.name).filter(({ kind }) => kind !== "last");
    const types = field.pieces.map(({ type }) => type);
    if (merging.length === 0) return types;
    if (isToldByKind(merging)) return [...types, mergedList([], []), NUMBER];
    const meetings = merging
      .map(({ split, kind }) => ({ ...meetingAt(split), kind }))
      .filter(({ isInside }) => field.pieces.some(({ node }) => isInside(node)));
    return meetings.length === 0 ? types : new Fold(field, meetings, shape.branches).left();
  };
}

function meetingOf({ splits, branches }: Shape, split: number, back: () => Digraph): Omit<Meeting, "kind"> {
  const { node, branches: parts } = splits[split] as SplitIR;
  const first = branches.at(split, 0);
  const leading = once(() => reachableFrom(back(), [node]));
  return {
    split,
    node,
    isInside: (v) => branches.find(split, v) !== NO_BRANCH,
    closed: (v) => {
      const branch = branches.find(split, v);
      // An edge from elsewhere enters a branch with `others`: writes there may skip the merge.
      return branch === NO_BRANCH || (parts[branch - first]?.others.length ?? 0) > 0 ? NO_BRANCH : branch;
    },
    stops: [...new Set(parts.flatMap(({ stops }) => stops))],
    leads: (v) => leading()[v] === 1,
  };
}

/** Computes the types of one field, with a memo for each merge. */
class Fold {
  readonly #field: FieldPieces;
  readonly #meetings: readonly Meeting[];
  readonly #branches: Branches;
  /** Null marks a type in progress: a loop leads back to it. */
  readonly #made = new Map<Meeting, FieldType | null>();

  constructor(field: FieldPieces, meetings: readonly Meeting[], branches: Branches) {
    this.#field = field;
    this.#meetings = meetings;
    this.#branches = branches;
  }

  /** The types that no merge consumes. */
  left(): readonly FieldType[] {
    return this.#typesOf((node) => this.#keepersOf(node).length === 0);
  }

  /** The types that a merge gets from its branches: inner merges are done by then. */
  readonly #writtenTo = memo((meeting: Meeting): readonly FieldType[] => {
    const { isInside } = meeting;
    const isInner = ({ by }: Keeper): boolean => by !== meeting && isInside(by.node);
    return this.#typesOf((node) => isInside(node) && !this.#keepersOf(node).some(isInner));
  });

  #typesOf(counts: (node: number) => boolean): readonly FieldType[] {
    const plain = this.#field.pieces.filter(({ node }) => counts(node)).map(({ type }) => type);
    return [...plain, ...this.#meetings.filter(({ node }) => counts(node)).map((one) => this.#result(one))];
  }

  /** The branches that every way to a node passes. */
  readonly #keepersOf = memo((node: number): readonly Keeper[] =>
    this.#meetings.flatMap((by) => {
      const branch = by.closed(node);
      return branch === NO_BRANCH ? [] : [{ by, branch }];
    }),
  );

  #result(meeting: Meeting): FieldType {
    const made = this.#made.get(meeting);
    // In a loop the list would contain itself: no finite type can say that.
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
    // Take the items of an earlier list from its branches: its own type may depend on this one.
    const items = met.filter(({ kind }) => kind === "append").flatMap((one) => this.#writtenTo(one));
    return mergedList([...this.#writtenTo(meeting), ...items], [...plain.map(({ type }) => type), ...sums]);
  }

  /** Whether a value that a node leaves at the given places can arrive at a split. */
  #isHeld(node: number, places: readonly number[], { node: split, leads }: Meeting): boolean {
    if (this.#field.isGiven) return true;
    // A value that has left its branch is merged already.
    if (!this.#keepersOf(node).every(({ branch }) => this.#branches.has(branch, split))) return false;
    return places.some(leads);
  }
}

interface Keeper {
  readonly by: Meeting;
  readonly branch: BranchNumber;
}
