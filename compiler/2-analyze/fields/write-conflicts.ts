import { type Branches, NO_BRANCH } from "../../branches.js";
import type { CellSpan, ColumnName, SplitIR } from "../../ir.js";
import { type Draft, type DraftNode, reportAt } from "../draft.js";
import type { FieldUse } from "./field-use.js";

/**
 * Reports a field that two branches of one split may both write, at the later writer.
 * Each branch around the writers is visited once for each field.
 */
export function checkWriteConflicts(
  draft: Draft,
  uses: readonly FieldUse[],
  splits: readonly SplitIR[],
  branches: Branches,
): void {
  if (splits.length === 0) return;
  const marks = new Marks(splits, branches);
  for (const { name: field, writers } of uses) {
    // Every branch may set `error`.
    if (writers.length < 2 || field === "error") continue;
    for (const { writer, first, split } of marks.conflicts(field, writers)) {
      const node = draft.nodes[writer] as DraftNode;
      const name = (v: number): string => (draft.nodes[v] as DraftNode).row.node.name;
      const params = { field, first: name(first), second: name(writer), split: name(split.node) };
      reportAt(draft, node, "write-conflict", params, writeCell(node, field));
    }
  }
}

interface Conflict {
  readonly writer: number;
  readonly first: number;
  readonly split: SplitIR;
}

const NOWHERE = -1;

/** Marks the writers of one field at a time. Only the touched entries are cleared between fields. */
class Marks {
  readonly #splits: readonly SplitIR[];
  readonly #branches: Branches;
  /** The least writer in each branch, and the first branch of each split that has one. */
  readonly #writer: Int32Array;
  readonly #leader: Int32Array;
  /** True when the branches around are marked already. */
  readonly #passed: Uint8Array;
  /** The first split in which a branch, or one around it, is not the first that writes. */
  readonly #clash: Int32Array;
  #touched: number[] = [];

  constructor(splits: readonly SplitIR[], branches: Branches) {
    this.#splits = splits;
    this.#branches = branches;
    this.#writer = new Int32Array(branches.count).fill(NOWHERE);
    this.#leader = new Int32Array(splits.length).fill(NO_BRANCH);
    this.#passed = new Uint8Array(branches.count);
    this.#clash = new Int32Array(branches.count).fill(UNKNOWN);
  }

  conflicts(field: string, writers: readonly number[]): readonly Conflict[] {
    const { inmost, around, others } = this.#branches;
    for (const v of writers) {
      for (let at = inmost(v); at !== NO_BRANCH && this.#passed[at] === 0; at = around(at)) {
        this.#mark(at, v);
        this.#passed[at] = 1;
      }
      for (const at of others(v)) this.#mark(at, v);
    }
    const found = writers.flatMap((writer): readonly Conflict[] => {
      const own = this.#clashAround(inmost(writer), field);
      const at = others(writer).reduce((least, one) => Math.min(least, this.#clashIn(one, field)), own);
      if (at === NEVER) return [];
      const first = this.#writer[this.#leader[at] as number] as number;
      return [{ writer, first, split: this.#splits[at] as SplitIR }];
    });
    this.#wipe();
    return found;
  }

  #mark(branch: number, writer: number): void {
    if (this.#writer[branch] !== NOWHERE) return;
    this.#writer[branch] = writer;
    this.#touched.push(branch);
    const split = this.#branches.splitOf(branch);
    const leader = this.#leader[split] as number;
    if (leader === NO_BRANCH || branch < leader) this.#leader[split] = branch;
  }

  /** The split, when an earlier branch writes the field as well and no merge combines the two. */
  #clashIn(branch: number, field: string): number {
    const split = this.#branches.splitOf(branch);
    const merges = Object.hasOwn((this.#splits[split] as SplitIR).merge, field);
    return merges || this.#leader[split] === branch ? NEVER : split;
  }

  #clashAround(branch: number, field: string): number {
    const way: number[] = [];
    let at = branch;
    for (; at !== NO_BRANCH && this.#clash[at] === UNKNOWN; at = this.#branches.around(at)) way.push(at);
    let least = at === NO_BRANCH ? NEVER : (this.#clash[at] as number);
    for (let inner = way.pop(); inner !== undefined; inner = way.pop()) {
      least = Math.min(least, this.#clashIn(inner, field));
      this.#clash[inner] = least;
    }
    return least;
  }

  #wipe(): void {
    for (const branch of this.#touched) {
      this.#writer[branch] = NOWHERE;
      this.#leader[this.#branches.splitOf(branch)] = NO_BRANCH;
      this.#passed[branch] = 0;
      this.#clash[branch] = UNKNOWN;
    }
    this.#touched = [];
  }
}

const UNKNOWN = -1;
/** Larger than the number of any split. */
const NEVER = 2 ** 31 - 1;

/** The output that writes a field; the errors that a loop over items collects are written by the agent itself. */
function writeCell(
  { row }: DraftNode,
  field: string,
): { readonly span: CellSpan; readonly column: ColumnName } {
  const output = row.outputs.find((one) => one.field === field);
  if (output === undefined) return { span: row.agent.at, column: "agent_type" };
  return { span: output.at, column: "output_field" };
}
