import { type Draft, type DraftNode, reportAt } from "../draft.js";
import type { Ways } from "../flow/edges.js";
import { mayFail } from "./calls.js";
import type { FieldUse, Read } from "./field-use.js";
import { namedInputs, usesError } from "./placeholders.js";
import type { FlowSystem } from "./set-flow.js";
import { solveUnset } from "./unset.js";

interface Setting {
  readonly draft: Draft;
  readonly dominators: Ways["dominators"];
  /** True when some way from node `w` leads to node `v`. */
  readonly leads: (w: number, v: number) => boolean;
  /** The nodes that a run can come to. */
  readonly visited: Uint8Array;
  readonly unset: ReadonlySet<Read>;
  readonly system: () => FlowSystem;
}

/** `never`: no writer comes before the read at all. */
type Verdict = "required" | "silent" | "warn" | "never" | "optional";

/** Judges every read that may find nothing. A field that the caller must give counts as set for all its reads. */
export function judgeReads(setting: Setting, byName: ReadonlyMap<string, FieldUse>): void {
  const uses = [...byName.values()];
  const verdicts = new Map<Read, Verdict>();
  for (const use of uses) {
    for (const read of use.reads)
      if (setting.unset.has(read)) verdicts.set(read, judgeRead(setting, use, read));
    const required = use.reads.some((read) => verdicts.get(read) === "required");
    const given = use.asked || use.reads.some((read) => verdicts.has(read) && use.name !== "error");
    use.input = required ? "required" : given ? "optional" : null;
    if (required) use.setAtEnd = use.setAtSuccess = true;
    for (const read of use.reads) read.sure = required || !setting.unset.has(read);
  }
  if (setting.draft.incomplete || verdicts.size === 0) return;
  warnAskedAgain(setting.draft, firstReads(uses, verdicts), setting.leads);
  const doubtful = uses.flatMap((use) =>
    use.reads.flatMap((read) => {
      const verdict = read.sure ? undefined : verdicts.get(read);
      return verdict === "never" || verdict === "warn" ? [{ use, read, verdict }] : NO_DOUBTS;
    }),
  );
  if (doubtful.length === 0) return;
  const joins = findSilent(setting, byName, doubtful);
  for (const { use, read, verdict } of doubtful)
    if (verdict === "never" || !joins.has(read.node)) warn(setting.draft, use, read);
}

/** The reads in the first round of a loop whose value the caller gives: the field is required, or annotated. */
function firstReads(uses: readonly FieldUse[], verdicts: ReadonlyMap<Read, Verdict>): readonly FirstRead[] {
  const isGiven = (read: Read): boolean => {
    const verdict = verdicts.get(read);
    return verdict === "required" || (verdict === "silent" && read.item.type !== null);
  };
  return uses.flatMap((use) =>
    use.asked && use.name !== "error" ? use.reads.filter(isGiven).map((read) => ({ use, read })) : [],
  );
}

interface Doubt {
  readonly use: FieldUse;
  readonly read: Read;
  readonly verdict: "warn" | "never";
}

const NO_DOUBTS: readonly Doubt[] = [];

/** Text agents skip what is unset: no warning is needed where something is always set. */
function findSilent(
  { draft, system }: Setting,
  byName: ReadonlyMap<string, FieldUse>,
  doubtful: readonly Doubt[],
): ReadonlySet<number> {
  const texts = new Set(doubtful.map(({ read }) => read.node).filter((v) => isText(draft, v)));
  const sureReads = [...byName.values()].flatMap(({ reads }) => reads.filter(({ sure }) => sure));
  const sure = new Set(sureReads.map(({ node }) => node));
  const open = [...texts].filter((v) => !sure.has(v)).map((v) => draft.nodes[v] as DraftNode);
  return new Set([...sure].filter((v) => texts.has(v)).concat([...findJoining(open, byName, system)]));
}

/** The order of these rules counts. */
function judgeRead({ draft, dominators, leads, visited }: Setting, use: FieldUse, read: Read): Verdict {
  if (use.name === "error") return "silent";
  if (read.item.optional) return "optional";
  if (use.writers.length === 0) return "required";
  // A writer that this node dominates can come before it only in a later round of a loop.
  const earlier = use.writers.filter(
    (writer) => visited[writer] === 1 && (writer === read.node || leads(writer, read.node)),
  );
  if (earlier.length === 0) return "never";
  const { dominates } = dominators();
  if (!earlier.every((writer) => dominates(read.node, writer))) return "warn";
  return isText(draft, read.node) ? "silent" : "required";
}

const isText = (draft: Draft, v: number): boolean => (draft.nodes[v] as DraftNode).facts?.text === true;

function warn(draft: Draft, use: FieldUse, read: Read): void {
  const node = draft.nodes[read.node] as DraftNode;
  const writers = use.writers.map((v) => draft.nodes[v] as DraftNode);
  const names = (nodes: readonly DraftNode[]): readonly string[] => nodes.map(({ row }) => row.node.name);
  // Without either list a failure ends the run.
  const failing = writers.filter(
    (writer) => mayFail(draft, writer) && writer.row.onFailure.length === 0 && writer.row.next.length > 0,
  );
  const params = {
    field: use.name,
    reader: node.row.node.name,
    writers: names(writers),
    failing: names(failing),
  };
  reportAt(draft, node, "maybe-unset", params, { span: read.item.at, column: "input_fields" });
}

/** A read in a loop: in the first round its value can only come from the caller. */
interface FirstRead {
  readonly use: FieldUse;
  readonly read: Read;
}

/** Warns where the first round of a loop uses what the caller gives, and `input` then asks for the same field. */
function warnAskedAgain(
  draft: Draft,
  first: readonly FirstRead[],
  leads: (from: number, to: number) => boolean,
): void {
  const told = new Set<string>();
  for (const { use, read } of first) {
    for (const v of use.writers) {
      const node = draft.nodes[v] as DraftNode;
      const output = node.row.outputs.find(({ field }) => field === use.name);
      const key = `${v} ${use.name}`;
      if (node.facts?.type !== "input" || output === undefined || told.has(key)) continue;
      if (v !== read.node && !leads(v, read.node)) continue;
      told.add(key);
      const reader = (draft.nodes[read.node] as DraftNode).row.node.name;
      const params = { field: use.name, reader, asker: node.row.node.name };
      reportAt(draft, node, "asked-again", params, { span: output.at, column: "output_field" });
    }
  }
}

/** The limit of writers over all sets of fields. Sets beyond it keep their warnings. */
const MOST_WRITERS = 2_000_000;

/** Fields, and the text agents that join exactly these. */
interface Joined {
  readonly fields: readonly string[];
  readonly readers: number[];
}

/** A text agent joins the fields that its prompt names, else all that it reads. */
function joinedFields(node: DraftNode): readonly string[] {
  const named = namedInputs(node);
  const { inputs } = node.row;
  const joined = named.size === 0 ? inputs : inputs.filter(({ param }) => named.has(param));
  const fields = new Set(joined.map(({ field }) => field));
  if (usesError(node)) fields.add("error");
  return [...fields].sort();
}

/**
 * The text agents where at least one of the joined fields is always set.
 * The solver sees the fields of such a set as one field that has all their writers.
 */
function findJoining(
  nodes: readonly DraftNode[],
  byName: ReadonlyMap<string, FieldUse>,
  system: () => FlowSystem,
): ReadonlySet<number> {
  const sets = new Map<string, Joined>();
  for (const node of nodes) {
    const fields = joinedFields(node);
    const key = fields.join();
    const known = sets.get(key);
    if (known !== undefined) known.readers.push(node.index);
    else if (fields.length > 1) sets.set(key, { fields, readers: [node.index] });
  }
  const writersOf = (name: string): readonly number[] => byName.get(name)?.sureWriters ?? [];
  let writers = 0;
  const followed = [...sets.values()].filter(({ fields }) => {
    for (const name of fields) writers += writersOf(name).length;
    return writers <= MOST_WRITERS;
  });
  const joining = new Set<number>();
  if (followed.length === 0) return joining;
  const tracked = followed.map(({ fields }) => ({
    writers: fields.flatMap(writersOf),
    isError: fields.includes("error"),
  }));
  solveUnset(system(), tracked, (first, count, isUnset) => {
    for (let i = first; i < first + count; i++) {
      for (const v of followed[i]?.readers ?? []) if (!isUnset(i, v)) joining.add(v);
    }
  });
  return joining;
}
