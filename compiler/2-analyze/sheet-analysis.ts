import { Problems } from "../diagnostics/collect.js";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { GraphIR, Row, Sheet } from "../ir.js";
import type { World } from "../world.js";
import { analyzeGraph } from "./analyze-graph.js";
import { checkGraphNames, checkNodeNames } from "./clashes.js";
import type { Analysis, Draft } from "./draft.js";
import { checkCalls } from "./fields/calls.js";
import { calledFirst, callersOf, endsInFailure, findFailing, type Routed } from "./flow/failing.js";
import { resolveRoutes } from "./flow/routes.js";
import { createGraphNames, type GraphNames } from "./graph-names.js";
import { createDraft } from "./group.js";
import { groupBy } from "./group-by.js";
import { type Keep, keepAll } from "./keep.js";
import {
  Asked,
  describedGraph,
  faceOf,
  KnownGraph,
  moveProblems,
  routedOf,
  saidOnce,
} from "./known-graph.js";
import { allRows, isSameOrder, type KnownRows } from "./known-rows.js";
import { checkLongRows } from "./long-rows.js";
import { agentsByName, createAgentFinder } from "./nodes.js";
import { checkHookPaths } from "./settings/check-webhook.js";
import { forgetColumns, hasForeignColumn } from "./settings/foreign-settings.js";
import { checkStrayRows } from "./stray-rows.js";

/**
 * The analysis of one sheet. It knows its graphs by their rows, so that a changed sheet costs only the graphs with
 * other rows, and those that run a graph which now looks different to them.
 */
export class SheetAnalysis implements Analysis {
  sheet: Sheet;
  readonly world: World;
  readonly problems: Problems;
  readonly agents: Analysis["agents"];
  readonly agentOf: Analysis["agentOf"];
  graphNames: ReadonlySet<string> = new Set();
  readonly unknownColumns = new Set<number>();
  #graphOfRows: readonly string[] = [];
  #rowsOf: ReadonlyMap<string, readonly number[]> = new Map();
  readonly #keep: Keep;
  #known: ReadonlyMap<string, KnownGraph> = new Map();
  #ordered: readonly KnownGraph[] = [];
  #ofSheet: readonly Diagnostic[] = [];
  readonly #understood = new Map<string, KnownGraph>();
  readonly #failing = new Set<string>();
  readonly #answers = new Map<string, boolean>();
  #named: GraphNames | null = null;
  /** Answers are noted in it; where an analysis is made again, they are taken from it. */
  #asked: Asked | null = null;
  #isRemade = false;
  /** How many of what was let go are being made again, each for the one before. */
  #depth = 0;

  constructor(sheet: Sheet, world: World, keep: Keep = keepAll, problems = new Problems(sheet.file)) {
    this.sheet = sheet;
    this.world = world;
    this.problems = problems;
    this.agents = agentsByName(world.agents);
    this.agentOf = createAgentFinder(this.agents, world);
    this.#keep = keep;
  }

  readonly graphsNamed = (): GraphNames => {
    this.#named ??= createGraphNames(this.graphNames, this.world.otherGraphs);
    return this.#named;
  };

  readonly graphOf = (name: string): GraphIR | null => {
    if (!this.graphNames.has(name)) return this.world.otherGraph?.(name) ?? null;
    if (this.#isRemade) {
      const isKnown = this.#asked?.faces.get(name) != null;
      return isKnown ? (this.#known.get(name)?.graph ?? null) : null;
    }
    const known = this.#understood.get(name);
    this.#asked?.faces.set(name, known?.face ?? null);
    return known?.graph ?? null;
  };

  readonly graphMayFail = (name: string): boolean => {
    if (!this.graphNames.has(name)) return this.graphOf(name)?.mayFail === true;
    if (this.#isRemade) return this.#asked?.failing.get(name) === true;
    const fails = this.#failing.has(name);
    this.#asked?.failing.set(name, fails);
    return fails;
  };

  readonly everyRow = (key: string, passes: (row: Row) => boolean): boolean => {
    const known = this.#isRemade ? this.#asked?.rows.get(key)?.answer : undefined;
    const answer = known ?? this.#answers.get(key) ?? this.#askRows(key, passes);
    this.#asked?.rows.set(key, { passes, answer });
    return answer;
  };

  /** Understands the graphs of the sheet as it is now; `rows` says which of them have other rows than before. */
  analyze(sheet: Sheet, rows: KnownRows = allRows(sheet)): readonly GraphIR[] {
    this.sheet = sheet;
    this.#understood.clear();
    this.#failing.clear();
    this.#answers.clear();
    const before = this.#known;
    const graphs = this.#group(rows);
    this.#checkSheet(graphs, rows);
    this.#ordered = calledFirst(graphs);
    for (const known of this.#ordered) if (known.routed === null) this.#route(known);
    findFailing(this.#ordered, this.#failing, (known) => this.#endsInFailure(known));
    const callers = callersOf(this.#ordered);
    for (const known of this.#ordered) {
      if (!this.#holds(known.asked.details)) {
        this.#analyze(known);
        const previous = before.get(known.name);
        if (previous !== undefined && callers.has(known.name)) known.face = faceOf(known, previous.face);
      }
      this.#understood.set(known.name, known);
    }
    for (const known of graphs) if (!this.#holds(known.asked.calls)) this.#checkCalls(known);
    return graphs.map(({ graph }) => graph as GraphIR);
  }

  /** The problems of all graphs, in the order of the steps that find them. */
  diagnostics(): readonly Diagnostic[] {
    const graphs = [...this.#known.values()];
    const analyzed = this.#ordered.flatMap(({ found }) => found.analyzed);
    return [
      ...graphs.flatMap(({ found }) => found.grouped),
      ...this.#ofSheet,
      ...this.#ordered.flatMap(({ found }) => found.routed),
      ...saidOnce(analyzed, this.sheet.headerRecord),
      ...graphs.flatMap(({ found }) => found.called),
    ];
  }

  /** Tells the known problems where they stand after an edit elsewhere. */
  move(moved: (problem: Diagnostic) => Diagnostic): void {
    for (const known of this.#known.values()) moveProblems(known, moved);
  }

  /** Graphs of the same rows stay known, unless what they name may be another graph now. */
  #group({ of: { graphs }, touched }: KnownRows): readonly KnownGraph[] {
    const isRegrouped = graphs !== this.#graphOfRows;
    if (isRegrouped) this.#rowsOf = groupBy(graphs.keys(), (row) => graphs[row] ?? "");
    this.#graphOfRows = graphs;
    const isRenamed = isRegrouped && !isSameOrder(this.#rowsOf.keys(), this.graphNames);
    this.graphNames = new Set(this.#rowsOf.keys());
    if (isRenamed) this.#named = null;
    const before = hasForeignColumn(this.sheet) ? new Map<string, KnownGraph>() : this.#known;
    forgetColumns(this);
    const known = new Map<string, KnownGraph>();
    for (const [name, rows] of this.#rowsOf) {
      // A row without a graph's name has been reported; no graph is made of it.
      if (name === "") continue;
      const same = before.get(name);
      const holds = same !== undefined && !touched.has(name) && !(isRenamed && same.usesGraphs);
      known.set(name, holds ? same : this.#open(name, rows));
    }
    this.#known = known;
    return [...known.values()];
  }

  #open(name: string, indexes: readonly number[]): KnownGraph {
    const { sheet } = this;
    const rows = (of: Sheet): readonly Row[] => indexes.map((index) => of.rows[index] as Row);
    const now = rows(sheet);
    const draft = createDraft(this, name, now);
    const again = () => createDraft(this, name, rows(this.sheet));
    const known = new KnownGraph(
      draft,
      now[0] as Row,
      this.#keep(draft, () => this.#again(null, again)),
    );
    known.found.grouped = this.problems.take();
    return known;
  }

  #checkSheet(graphs: readonly KnownGraph[], { of: { long } }: KnownRows): void {
    checkGraphNames(
      this,
      graphs.map(({ first }) => first),
    );
    checkHookPaths(
      this,
      graphs.map(({ first }) => first),
    );
    checkStrayRows(
      this,
      graphs.map(({ name }) => this.#rowsOf.get(name) ?? []),
    );
    const rows = [...long].map((index) => this.sheet.rows[index] as Row);
    checkLongRows(this, rows, (name) => this.#known.get(name)?.draft() ?? null);
    this.#ofSheet = this.problems.take();
  }

  #route(known: KnownGraph): void {
    const draft = known.draft();
    checkNodeNames(draft);
    known.routed = this.#keep(routed(draft), () => this.#again(null, () => routed(known.draft())));
    known.found.routed = this.problems.take();
  }

  #endsInFailure(known: KnownGraph): boolean {
    if (!this.#holds(known.asked.ends)) {
      known.asked.ends = this.#asking(() => {
        known.endsInFailure = endsInFailure(routedOf(known));
      });
    }
    return known.endsInFailure;
  }

  #analyze(known: KnownGraph): void {
    known.asked.details = this.#asking(() => this.#describe(known));
    known.found.analyzed = this.problems.take();
  }

  #describe(known: KnownGraph): void {
    const details = analyzeGraph(routedOf(known));
    const again = () => {
      if (this.#depth === DEEP) this.#describeCalled(known);
      return this.#again(known.asked.details, () => analyzeGraph(routedOf(known)));
    };
    const kept = this.#keep(details, again);
    known.graph = describedGraph(known, {
      file: this.sheet.file,
      kept,
      mayFail: this.graphMayFail(known.name),
    });
  }

  /** Makes again what a graph runs, the deepest first: one that asks the next down a long chain fills the stack. */
  #describeCalled(from: KnownGraph): void {
    const reached = new Set([from]);
    for (const { calls } of reached)
      for (const name of calls) {
        const called = this.#known.get(name);
        if (called !== undefined) reached.add(called);
      }
    reached.delete(from);
    this.#depth++;
    for (const known of this.#ordered) if (reached.has(known)) void known.graph?.fields;
    this.#depth--;
  }

  #checkCalls(known: KnownGraph): void {
    known.asked.calls = this.#asking(() => {
      if (known.usesGraphs) checkCalls(known.draft());
    });
    known.found.called = this.problems.take();
  }

  /** Notes the answers that are given meanwhile. */
  #asking(work: () => void): Asked {
    const asked = new Asked();
    this.unknownColumns.clear();
    this.#asked = asked;
    work();
    this.#asked = null;
    return asked;
  }

  /** Whether the answers would be the same now. */
  #holds(asked: Asked | null): boolean {
    if (asked === null) return false;
    for (const [name, face] of asked.faces)
      if ((this.#understood.get(name)?.face ?? null) !== face) return false;
    for (const [name, fails] of asked.failing) if (this.#failing.has(name) !== fails) return false;
    for (const [key, { passes, answer }] of asked.rows)
      if ((this.#answers.get(key) ?? this.#askRows(key, passes)) !== answer) return false;
    return true;
  }

  /** Graphs that are known have answered before. */
  #askRows(key: string, passes: (row: Row) => boolean): boolean {
    let answer = true;
    for (const [name, rows] of this.#rowsOf) {
      const known = this.#known.get(name);
      const own = known?.answers.get(key) ?? rows.every((index) => passes(this.sheet.rows[index] as Row));
      known?.answers.set(key, own);
      answer &&= own;
    }
    this.#answers.set(key, answer);
    return answer;
  }

  /** Does once more what was let go: with the answers of the first time, and without its problems. */
  #again<T>(asked: Asked | null, work: () => T): T {
    const before = { asked: this.#asked, isRemade: this.#isRemade };
    const columns = [...this.unknownColumns];
    const found = this.problems.take();
    this.#asked = asked;
    this.#isRemade = true;
    this.#depth++;
    const made = work();
    this.#depth--;
    this.#asked = before.asked;
    this.#isRemade = before.isRemade;
    this.problems.take();
    this.problems.add(found);
    this.unknownColumns.clear();
    for (const column of columns) this.unknownColumns.add(column);
    return made;
  }
}

const DEEP = 50;

const routed = (draft: Draft): Routed => ({
  draft,
  routes: draft.nodes.map((node) => resolveRoutes(draft, node)),
});
