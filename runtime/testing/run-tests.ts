import { placeOf } from "../../compiler/1-parse/text/places.js";
import type { CaseIR } from "../../compiler/2-analyze/tests/case-ir.js";
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.js";
import type { Place } from "../../compiler/ir.js";
import type { Project } from "../config/folders.js";
import type { Logger, Services } from "../graph/contract/contract.js";
import { FlowsheetError } from "../graph/contract/errors.js";
import type { Environment } from "../host.js";
import type { Cassette } from "../llm/cassette.js";
import { createServices } from "../services.js";
import { type OpenedGraph, openGraph } from "../workflows/open-graph.js";
import { WorkflowError } from "../workflows/workflow-error.js";
import { checkCase, type Mismatch, refusal } from "./check-case.js";
import { type Coverage, CoverageCounter } from "./coverage.js";
import type { OpenedTests, TestedSheet } from "./open-tests.js";
import { type CaseRun, type CaseSetting, runCase } from "./run-case.js";

export interface TestOptions {
  readonly project: Project;
  /** The services in the context of agents. */
  readonly services?: Partial<Services>;
  readonly cassette?: Cassette;
  readonly signal?: AbortSignal;
  readonly log?: Logger;
  readonly redact?: (message: string) => string;
  readonly env?: Environment;
}

export interface CaseResult {
  readonly one: CaseIR;
  /** The cell with the case's name. */
  readonly place: Place;
  readonly mismatches: readonly Mismatch[];
  readonly run: CaseRun | null;
  readonly ms: number;
}

const CASE_MS = 60_000;

type Opening = { readonly opened: OpenedGraph } | { readonly error: FlowsheetError };

export type TestRunner = ReturnType<typeof createTestRunner>;

/** Runs the cases of one test sheet. Each graph is opened once. */
export function createTestRunner(tests: OpenedTests, options: TestOptions) {
  const { workflow } = tests;
  const openings = new Map<string, Promise<Opening>>();
  const counters = new Map(workflow.graphs.map((graph) => [graph.name, new CoverageCounter(graph)]));
  const refused = new Set<Diagnostic>();
  const open = (graph: string): Promise<Opening> => {
    const known = openings.get(graph) ?? openFor(tests, graph);
    openings.set(graph, known);
    return known;
  };
  return {
    run: async (one: CaseIR): Promise<CaseResult> => {
      const began = performance.now();
      const opening = await open(one.graph.name);
      if ("error" in opening && opening.error instanceof WorkflowError)
        for (const found of opening.error.diagnostics) refused.add(found);
      const { run, mismatches } = await attempt(one, opening, tests, options);
      if (run !== null) counters.get(one.graph.name)?.add(run);
      return { one, place: placeOfCase(tests, one), mismatches, run, ms: performance.now() - began };
    },
    /** The coverage so far, for each graph of the sheet. */
    coverage: (): readonly Coverage[] => [...counters.values()].map((counter) => counter.coverage()),
    /** The errors that kept graphs from being opened. */
    diagnostics: (): readonly Diagnostic[] => [...refused],
  };
}

async function openFor({ sheets }: OpenedTests, graph: string): Promise<Opening> {
  const isItsSheet = ({ understanding }: TestedSheet): boolean =>
    understanding.graphs.some(({ name }) => name === graph);
  const { understanding, graphSources } = sheets.find(isItsSheet) ?? (sheets[0] as TestedSheet);
  try {
    return { opened: await openGraph(understanding, graph, graphSources) };
  } catch (error) {
    if (error instanceof FlowsheetError) return { error };
    throw error;
  }
}

async function attempt(
  one: CaseIR,
  opening: Opening,
  tests: OpenedTests,
  options: TestOptions,
): Promise<Pick<CaseResult, "run" | "mismatches">> {
  if ("error" in opening) return { run: null, mismatches: [refusal("case", opening.error.message)] };
  const { checkGiven, graph } = opening.opened;
  const problems = checkGiven(one.given).problems;
  if (problems.length > 0) {
    const column = one.cells.has("given") ? "given" : "case";
    return { run: null, mismatches: problems.map(({ message, help }) => refusal(column, message, help)) };
  }
  const run = await runCase(one, settingFor({ graph, missing: missingAgents(tests, one) }, options));
  return { run, mismatches: checkCase(one, run) };
}

function settingFor(
  { graph, missing }: Pick<CaseSetting, "graph" | "missing">,
  { project, services = {}, cassette, signal, log, redact = (message) => message, env = {} }: TestOptions,
): CaseSetting {
  const { maxSteps, timeoutMs } = project.execution;
  const limits = { maxSteps, timeoutMs: timeoutMs ?? CASE_MS };
  const ownServices = (): Services => createServices({ project, env, redact });
  return { graph, missing, services, cassette, ownServices, limits, signal, log, redact };
}

function missingAgents({ workflow }: OpenedTests, { graph }: CaseIR): ReadonlySet<string> {
  const found = workflow.diagnostics.filter(
    (one) => one.code === "unknown-agent" && one.graph === graph.name,
  );
  return new Set(found.flatMap(({ node }) => node ?? []));
}

/** The cell with the case's name. */
export function placeOfCase({ tests: { sheet, file } }: OpenedTests, { cells }: CaseIR): Place {
  const cell = cells.get("case");
  if (sheet !== null && cell !== undefined) return placeOf(sheet, cell);
  return { file, line: 1, column: 1, endLine: 1, endColumn: 1, cell: null };
}
