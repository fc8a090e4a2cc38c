import type { Row, Value } from "../read-rows.js";
import { eventRow, fullRun, stepRow, versionRow, waitRow } from "../read-rows.js";
import type { EventRow, RunCopy, RunStatus, StepRow, VersionRow, WorkerRow } from "../rows.js";
import { attempt, cellsOf, type PageCells } from "./cells.js";
import { openPages, type Pages } from "./pages.js";

/** The columns of the tables, in their order. A test holds them against the schema. */
export const COLUMNS = {
  runs: `n run_id graph sheet version contract status owner epoch recoveries deaths died_at key user_id started_by
    parent_id parent_at created due started suspended ended deadline worked held error_code`,
  run_values: "run given options result",
  steps:
    "run id seq pure node visit attempt branch began ended outcome result seen writes error worked token",
  waits: `run_id id seq node waiting spec about opened until_at remind_at escalate_at ending answered_by ended_at
    token`,
  events: "run n at type event token",
  versions: "version graph sheet contract texts seen",
  workers: "owner seen concurrency",
} as const;

type Table = keyof typeof COLUMNS;
/** `words` is the search's copy of a run's words, `entry` that of a step or a wait in the index of its table. */
type Kind = Table | "words" | "entry" | "name";
type Found = ReadonlyMap<Kind, readonly Row[]>;

/** A run that can be read, and what of it cannot. */
export interface SalvagedRun {
  readonly copy: RunCopy;
  readonly missing: readonly string[];
}

/** A run of which only its name can be read. */
export interface LostRun {
  readonly runId: string;
}

/** Limits of a run that has none of its own. */
const NO_VALUES = { given: null, options: '{"maxSteps":null,"timeoutMs":null}', result: null };
const ENDED: readonly string[] = ["completed", "failed", "cancelled"];
const ID = /^[0-9a-f]{32}$/;
/** A page has fewer cells than this. */
const CELLS = 65_536;

/** Reads a file of runs page by page, where SQLite refuses it. Nothing is written. */
export class Salvage {
  readonly #pages: Pages;
  /** The numbers of runs by their ids. */
  readonly #numbers = new Map<string, number>();
  /** Where everything of a run is, by its number or by its id. */
  readonly #places = new Map<number | string, number[]>();
  readonly #names = new Set<string>();
  /** Indexes name versions as they name runs. */
  readonly #versions = new Set<string>();
  readonly versions: VersionRow[] = [];
  readonly workers: WorkerRow[] = [];
  /** The numbers of pages that hold nothing that can be understood. */
  readonly unreadable: number[] = [];

  constructor(path: string) {
    this.#pages = openPages(path);
    for (let number = 1; number <= this.#pages.count; number++) this.#look(number);
  }

  get pages(): number {
    return this.#pages.count;
  }

  close(): void {
    this.#pages.close();
  }

  /** First those that can be read, in the order in which they began. */
  *runs(): Generator<SalvagedRun | LostRun, undefined> {
    for (const [runId, number] of [...this.#numbers].sort((a, b) => a[1] - b[1]))
      yield this.#run(runId, number) ?? { runId };
    for (const runId of this.#names)
      if (!this.#numbers.has(runId) && !this.#versions.has(runId)) yield { runId };
  }

  #look(number: number): void {
    const found = cellsOf(this.#pages, number);
    if (found === null) return;
    let isWhole = found !== "broken";
    for (let i = 0; found !== "broken" && i < found.count; i++) {
      const values = found.read(i);
      if (values === null) isWhole = false;
      else this.#take(found.kind, values, number * CELLS + i);
    }
    // The first page holds no rows of ours.
    if (!isWhole && number > 1) this.unreadable.push(number);
  }

  #take(of: PageCells["kind"], values: readonly Value[], place: number): void {
    const kind = kindOf(of, values);
    if (kind === null) return;
    const [first = null, second = null] = values;
    if (kind === "versions") {
      this.#versions.add(String(first));
      attempt(() => this.versions.push(versionRow(rowOf(kind, values))));
    } else if (kind === "workers") this.workers.push(rowOf(kind, values) as unknown as WorkerRow);
    else if (kind === "name") this.#names.add(String(first));
    else this.#remember(first as number | string, place);
    if (kind === "words" || kind === "runs") this.#names.add(String(second));
    if (kind !== "runs") return;
    this.#numbers.set(String(second), Number(first));
    this.#versions.add(String(values[4]));
  }

  #remember(owner: number | string, place: number): void {
    const places = this.#places.get(owner);
    if (places === undefined) this.#places.set(owner, [place]);
    else places.push(place);
  }

  #run(runId: string, number: number): SalvagedRun | null {
    const found = new Map<Kind, Row[]>();
    for (const place of [...(this.#places.get(number) ?? []), ...(this.#places.get(runId) ?? [])]) {
      const page = cellsOf(this.#pages, Math.floor(place / CELLS)) as PageCells;
      const values = page.read(place % CELLS) ?? [];
      const kind = kindOf(page.kind, values);
      if (kind === null) continue;
      const rows = found.get(kind);
      if (rows === undefined) found.set(kind, [rowOf(kind, values)]);
      else rows.push(rowOf(kind, values));
    }
    return attempt(() => runOf(runId, found, this.unreadable.length));
  }
}

/** Rows are known by the number of their columns, and by what the first ones are. */
function kindOf(kind: PageCells["kind"], values: readonly Value[]): Kind | null {
  const [first = null, second = null] = values;
  const isNumbered = typeof first === "number";
  const isNamed = typeof first === "string" && ID.test(first);
  if (kind === "index") {
    if (values.length === 6 && isNumbered && typeof second === "number") return "events";
    if (values.length === 3 && typeof second === "string") return isNumbered || isNamed ? "entry" : null;
    return values.length === 2 && isNamed ? "name" : null;
  }
  switch (values.length) {
    case 3:
      if (isNumbered) return ID.test(String(second)) ? "words" : null;
      return typeof second === "number" ? "workers" : null;
    case 4:
      return isNumbered ? "run_values" : null;
    case 6:
      return isNumbered ? null : "versions";
    case 15:
      return isNamed ? "waits" : null;
    case 17:
      return isNumbered ? "steps" : null;
    case 26:
      return ID.test(String(second)) ? "runs" : null;
    default:
      return null;
  }
}

function rowOf(kind: Kind, values: readonly Value[]): Row {
  if (kind === "words") return { words: values[2] ?? null };
  if (kind === "name") return {};
  if (kind === "entry") return { id: values.join(" ") };
  return Object.fromEntries(COLUMNS[kind].split(/\s+/).map((name, i) => [name, values[i] ?? null]));
}

/** Null when the run itself cannot be read. */
function runOf(runId: string, found: Found, unreadable: number): SalvagedRun | null {
  const row = found.get("runs")?.find((one) => one["run_id"] === runId);
  if (row === undefined) return null;
  const steps = readable(found.get("steps"), stepRow, ({ id }) => id).sort((a, b) => a.seq - b.seq);
  const waits = readable(found.get("waits"), waitRow, ({ id }) => id).sort((a, b) => a.seq - b.seq);
  const events = readable(found.get("events"), eventRow, ({ n }) => n).sort((a, b) => a.n - b.n);
  const entries = new Set((found.get("entry") ?? []).map(({ id }) => id)).size;
  const [values] = readable(
    found.get("run_values"),
    (one) => fullRun({ ...row, ...one }),
    () => "",
  );
  // A retry leaves gaps, too: they mean something only when a row and its entry may both be lost.
  const gaps = unreadable > 1 ? gapsIn(steps) : 0;
  const lost = [
    ...(values === undefined ? ["what it was given"] : []),
    ...counted(Math.max(entries - steps.length - waits.length, gaps), "record"),
  ];
  const words = String(found.get("words")?.at(-1)?.["words"] ?? `${runId} ${row["graph"]}`);
  // Without what it was given a run is like one that was erased: it never goes on with something else.
  const run = { ...(values ?? fullRun({ ...row, ...NO_VALUES })), words };
  return {
    copy: { run: lost.length === 0 ? run : setAside(run, lost), steps, waits, events },
    // A run goes on without its events.
    missing: areWhole(events, run.status) ? lost : [...lost, "events"],
  };
}

/** Every run that has ended has told so. */
function areWhole(events: readonly EventRow[], status: RunStatus): boolean {
  const last = events.at(-1);
  if (last === undefined || (ENDED.includes(status) && last.type !== "run_end")) return false;
  return last.n === events.length;
}

/** A page may stand in the file twice, in place of another one. */
function readable<T>(rows: readonly Row[] = [], read: (row: Row) => T, keyOf: (read: T) => Value): T[] {
  const found = rows.flatMap((row) => attempt(() => [read(row)]) ?? []);
  return [...new Map(found.map((one) => [keyOf(one), one])).values()];
}

const gapsIn = (steps: readonly StepRow[]): number => (steps.at(-1)?.seq ?? 0) - steps.length;

const counted = (count: number, what: string): readonly string[] =>
  count <= 0 ? [] : [`${count} ${what}${count === 1 ? "" : "s"}`];

/** Nodes that have lost their record would be called again: a person decides that. */
function setAside(run: RunCopy["run"], missing: readonly string[]): RunCopy["run"] {
  if (ENDED.includes(run.status)) return run;
  return { ...run, status: "stuck", owner: null, held: `lost in a damaged file: ${missing.join(", ")}` };
}
