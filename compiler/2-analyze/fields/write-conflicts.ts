import type { CellSpan, ColumnName, SplitIR } from "../../ir.js";
import { type Draft, type DraftNode, reportAt } from "../draft.js";
import { type Branches, type BranchNumber, NO_BRANCH } from "../flow/branches.js";
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
  for (const { name: field, writers } of uses) {
    // Every branch may set `error`.
    if (writers.length < 2 || field === "error") continue;
    for (const { writer, first, split } of conflictsOf(field, writers, splits, branches)) {
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

const NEVER = Number.POSITIVE_INFINITY;

function conflictsOf(
  field: string,
  writers: readonly number[],
  splits: readonly SplitIR[],
  branches: Branches,
): readonly Conflict[] {
  const { inmost, around, others, splitOf } = branches;
  const { least, leader, owning } = markWriters(writers, branches);
  /** The split, when an earlier branch writes the field as well and no merge combines the two. */
  const clashIn = (branch: BranchNumber): number => {
    const split = splitOf(branch);
    const merges = Object.hasOwn((splits[split] as SplitIR).merge, field);
    return merges || leader.get(split) === branch ? NEVER : split;
  };
  /** The first split in which a branch, or one around it, is not the first that writes. */
  const clashes = new Map<BranchNumber, number>();
  for (const branch of owning)
    clashes.set(branch, Math.min(clashIn(branch), clashes.get(around(branch)) ?? NEVER));
  return writers.flatMap((writer) => {
    const own = clashes.get(inmost(writer)) ?? NEVER;
    const at = others(writer).reduce((first, branch) => Math.min(first, clashIn(branch)), own);
    if (at === NEVER) return [];
    const first = least.get(leader.get(at) as BranchNumber) as number;
    return [{ writer, first, split: splits[at] as SplitIR }];
  });
}

interface Marks {
  /** The least writer in each branch, and the first branch of each split that has one. */
  readonly least: ReadonlyMap<BranchNumber, number>;
  readonly leader: ReadonlyMap<number, BranchNumber>;
  /** The branches that own a writer; each comes after those around it. */
  readonly owning: ReadonlySet<BranchNumber>;
}

function markWriters(writers: readonly number[], { inmost, around, others, splitOf }: Branches): Marks {
  const least = new Map<BranchNumber, number>();
  const leader = new Map<number, BranchNumber>();
  const owning = new Set<BranchNumber>();
  for (const v of writers) {
    const entered: BranchNumber[] = [];
    for (let at = inmost(v); at !== NO_BRANCH && !owning.has(at); at = around(at)) entered.push(at);
    for (const branch of entered.reverse()) owning.add(branch);
    for (const branch of [...entered, ...others(v)]) {
      if (least.has(branch)) continue;
      least.set(branch, v);
      const split = splitOf(branch);
      leader.set(split, Math.min(leader.get(split) ?? branch, branch));
    }
  }
  return { least, leader, owning };
}

/** The output that writes a field; the errors that a loop over items collects are written by the agent itself. */
function writeCell(
  { row }: DraftNode,
  field: string,
): { readonly span: CellSpan; readonly column: ColumnName } {
  const output = row.outputs.find((one) => one.field === field);
  if (output === undefined) return { span: row.agent.at, column: "agent_type" };
  return { span: output.at, column: "output_field" };
}
