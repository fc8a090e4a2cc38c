import { normalizeAgent } from "../agent-name.js";
import type { Problems } from "../diagnostics/collect.js";
import { suggest } from "../diagnostics/suggest.js";
import type { GraphIR, NodeIR, ReadIR, Sheet, WriteIR } from "../ir.js";
import { isUnknown, listOf, OBJECT } from "../types/field-type.js";
import type { AgentFacts, World } from "../world.js";
import { checkGraphNames, checkNodeNames } from "./clashes.js";
import { type Analysis, collectsErrors, type Draft, type DraftNode, LOST, type Routes } from "./draft.js";
import { checkCalls, isSurelyWritten, mayFail } from "./fields/calls.js";
import { checkTypes } from "./fields/check-types.js";
import { checkChoices, checkSpelling } from "./fields/checks.js";
import { type FieldTypes, givenChecks, inferTypes } from "./fields/field-types.js";
import type { FieldUse, Read } from "./fields/field-use.js";
import { gatherFields, settleFields } from "./fields/fields.js";
import { nameInputs } from "./fields/input-names.js";
import { checkPrompt, findAfterFailure, resolvePrompt, usesError } from "./fields/placeholders.js";
import { checkWriteConflicts } from "./fields/write-conflicts.js";
import { createBranches } from "./flow/branches.js";
import { findWays } from "./flow/edges.js";
import { calledFirst, findFailing, type Routed } from "./flow/failing.js";
import { once } from "./flow/once.js";
import { checkCycles, findReachable } from "./flow/reach.js";
import { resolveRoutes } from "./flow/routes.js";
import { findSplits } from "./flow/splits.js";
import { checkUnusedEdges } from "./flow/unused-edges.js";
import { groupRows } from "./group.js";
import { checkLongRows } from "./long-rows.js";
import { createAgentFinder } from "./nodes.js";
import { candidatesOf } from "./settings/candidates.js";
import { checkNeeds } from "./settings/check-needs.js";
import { checkScheduled } from "./settings/check-schedule.js";
import { checkSettings } from "./settings/check-settings.js";
import { checkInputUse, checkPromptUse } from "./settings/check-use.js";

/** Understands every graph of a sheet and reports what is wrong with it. */
export function analyzeSheet(sheet: Sheet, world: World, problems: Problems): readonly GraphIR[] {
  const graphNames = new Set(sheet.rows.map(({ graph }) => graph.name));
  const suggestGraph = (name: string): string | null =>
    suggest(name, [...graphNames, ...(world.otherGraphs ?? [])]);
  const agents = agentsByName(world.agents);
  const agentOf = createAgentFinder(agents, world);
  const known = new Map<string, GraphIR>();
  const graphOf = (name: string): GraphIR | null =>
    known.get(name) ?? (graphNames.has(name) ? null : (world.otherGraph?.(name) ?? null));
  const failing = new Set<string>();
  const analysis: Analysis = {
    sheet,
    world,
    problems,
    agents,
    agentOf,
    graphNames,
    suggestGraph,
    graphOf,
    graphMayFail: (name) => failing.has(name) || (!graphNames.has(name) && graphOf(name)?.mayFail === true),
    unknownColumns: new Set<number>(),
  };
  const drafts = groupRows(analysis);
  checkGraphNames(analysis, drafts);
  checkLongRows(analysis, drafts);
  const ordered = calledFirst(drafts).map(routed);
  findFailing(ordered, failing);
  for (const graph of ordered) known.set(graph.draft.name, analyzeGraph(graph));
  for (const draft of drafts) checkCalls(draft);
  return drafts.map(({ name }) => known.get(name) as GraphIR);
}

export function agentsByName(agents: readonly AgentFacts[]): ReadonlyMap<string, AgentFacts> {
  const named = agents.flatMap((facts) => [facts.type, ...facts.aliases].map((name) => ({ name, facts })));
  return new Map(named.map(({ name, facts }) => [normalizeAgent(name), facts]));
}

function routed(draft: Draft): Routed {
  checkNodeNames(draft);
  return { draft, routes: draft.nodes.map((node) => resolveRoutes(draft, node)) };
}

function analyzeGraph({ draft, routes }: Routed): GraphIR {
  const ways = findWays(draft, routes);
  const reachable = findReachable(draft, ways.written);
  const splits = findSplits(draft, routes, ways);
  checkCycles(draft, routes, ways, reachable, splits);
  const branches = createBranches(draft.nodes.length, splits);
  const fields = gatherFields(draft, ways);
  const uses = [...fields.byName.values()];
  checkWriteConflicts(draft, uses, splits, branches);
  settleFields(draft, fields, ways, splits);
  checkSpelling(draft, uses);
  const types = inferTypes(draft, fields, { splits, branches, graph: ways.written });
  checkTypes(draft, uses, types);
  const afterFailure = findAfterFailure(ways);
  checkUnusedEdges(draft, routes, ways);
  for (const node of draft.nodes) {
    checkSettings(draft, node);
    // A misspelt placeholder explains an unused input, so only the placeholder is reported.
    if (!checkPrompt(draft, node, afterFailure[node.index] === 1)) checkInputUse(draft, node);
    checkPromptUse(draft, node);
    checkNeeds(draft, node, reachable);
    checkChoices(draft, node, routes[node.index] as Routes, types);
  }
  // Descriptions are made when they are first read: a check of a large sheet reads none.
  const nodes = once(() =>
    draft.nodes.map((node, v) => {
      const reads = fields.readsOf[v] ?? [];
      return describeNode(draft, node, routes[v] as Routes, { reads, types, reachable: reachable[v] === 1 });
    }),
  );
  const described = once(() => uses.map((use) => describeField(draft, use, types)));
  checkScheduled(draft, described);
  // What graphs that call each other know of each other depends on their order.
  if (draft.nodes.some(({ facts }) => facts?.type === "graph")) {
    nodes();
    described();
  }
  return {
    name: draft.name,
    file: draft.analysis.sheet.file,
    get nodes() {
      return nodes();
    },
    get fields() {
      return described();
    },
    splits,
    timezone: draft.nodes[0]?.timezone ?? null,
    schedule: draft.nodes[0]?.schedule ?? null,
    mayFail: draft.analysis.graphMayFail(draft.name),
  };
}

function describeNode(
  draft: Draft,
  node: DraftNode,
  routes: Routes,
  { reads, types, reachable }: Pick<NodeIR, "reachable"> & { reads: readonly Read[]; types: FieldTypes },
): NodeIR {
  const { row } = node;
  return {
    name: row.node.name,
    row: row.record + 1,
    index: row.index,
    description: node.description,
    agent: node.agent,
    settings: nameInputs(node),
    retry: node.retry,
    timeoutMs: node.timeoutMs,
    maxVisits: node.maxVisits,
    onLimit: routes.onLimit === LOST ? -1 : routes.onLimit,
    merge: node.merge,
    next: kept(routes.next),
    onSuccess: kept(routes.success),
    onFailure: kept(routes.failure),
    cases: routes.cases,
    otherwise: routes.otherwise === LOST ? null : routes.otherwise,
    candidates: candidatesOf(draft, node, routes),
    reads: reads.map((read) => describeRead(read, types)),
    writes: describeWrites(draft, node, types),
    items: types.itemsAt(node),
    prompt: resolvePrompt(node),
    errorInPrompt: usesError(node),
    promptFrom: node.promptFrom,
    mayFail: mayFail(draft, node),
    reachable,
  };
}

function describeWrites(draft: Draft, node: DraftNode, types: FieldTypes): readonly WriteIR[] {
  const writes = node.row.outputs.map((output): WriteIR => {
    const type = types.written(node, output);
    return {
      key: output.key,
      field: output.field,
      type: isUnknown(type) ? null : type,
      annotated: output.type !== null,
      sure: isSurelyWritten(draft, node, output),
    };
  });
  return collectsErrors(node) ? [...writes, COLLECTED] : writes;
}

const COLLECTED: WriteIR = {
  key: "errors",
  field: "errors",
  type: listOf(OBJECT),
  annotated: false,
  sure: true,
};

const kept = (targets: readonly number[]): readonly number[] =>
  targets.includes(LOST) ? targets.filter((target) => target !== LOST) : targets;

function describeRead({ item, sure }: Read, types: FieldTypes): ReadIR {
  const { param, field, path, optional, type } = item;
  const held = types.isHeld(item);
  return {
    param,
    field,
    path,
    optional,
    sure,
    isSet: sure && (!optional || path.length > 0) && !types.mayBeLeftOut(field),
    type,
    held,
    isOpen: held && path.length === 0 && types.isOpen(field),
  };
}

function readersOf(reads: readonly Read[]): readonly number[] {
  const [first] = reads;
  if (first === undefined) return NOBODY;
  return reads.length === 1 ? [first.node] : [...new Set(reads.map(({ node }) => node))];
}

const NOBODY: readonly number[] = [];

function describeField(draft: Draft, use: FieldUse, types: FieldTypes): GraphIR["fields"][number] {
  return {
    name: use.name,
    type: types.of(use.name),
    full: types.full(use.name),
    mayBeLeftOut: types.mayBeLeftOut(use.name),
    input: use.input,
    checks: givenChecks(draft, use, types),
    writers: use.writers,
    readers: readersOf(use.reads),
    setAtEnd: use.setAtEnd,
    setAtSuccess: use.setAtSuccess,
  };
}
