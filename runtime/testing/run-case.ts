import type { CaseIR } from "../../compiler/2-analyze/tests/case-ir.js";
import type { Json } from "../../compiler/ir.js";
import type {
  Answers,
  AnyAgent,
  AnyGraph,
  Logger,
  Result,
  RunEvent,
  Services,
  StateData,
} from "../graph/contract/contract.js";
import { FlowsheetError } from "../graph/contract/errors.js";
import { callOf } from "../graph/link/table.js";
import { asleepIn } from "../graph/suspend/names-inside.js";
import type { Cassette } from "../llm/cassette.js";
import { chooses, listening } from "./choices.js";
import {
  type GuardedNode,
  type GuardOptions,
  guardedServices,
  guardOf,
  innerNodes,
  type Offence,
} from "./guard.js";
import { atVisit, type StandIn, standInOf } from "./mocks.js";

export interface CaseSetting {
  readonly graph: AnyGraph;
  readonly missing: ReadonlySet<string>;
  readonly services: Services;
  /** Recorded answers of models. Each case starts with the first ones. */
  readonly cassette?: Cassette | undefined;
  readonly ownServices: () => Services;
  readonly limits: { readonly maxSteps: number | null; readonly timeoutMs: number };
  readonly signal?: AbortSignal | undefined;
  readonly log?: Logger | undefined;
  readonly redact?: ((message: string) => string) | undefined;
}

export interface CaseRun {
  /** Null when the run could not begin, or could not take an answer. */
  readonly result: Result<StateData> | null;
  readonly refused: string | null;
  readonly offences: readonly Offence[];
  readonly events: readonly RunEvent[];
  readonly choices: ReadonlyMap<string, string>;
}

export const visitKey = (node: string, visit: number): string => `${visit}/${node}`;

export async function runCase(one: CaseIR, given: CaseSetting): Promise<CaseRun> {
  const offences: Offence[] = [];
  const events: RunEvent[] = [];
  const choices = new Map<string, string>();
  const stop = new AbortController();
  const onOffence = (offence: Offence): void => {
    offences.push(offence);
    // The run is aborted, because a failure edge could hide the offence.
    stop.abort();
  };
  const setting = { ...given, services: lentServices(given, onOffence) };
  const onChoice: OnChoice = (node, visit, name) => choices.set(visitKey(node, visit), name);
  const options = {
    ...optionsOf(setting, stop.signal),
    ...(one.now === null ? {} : { clock: () => one.now as number }),
    nodes: standInsFor(one, { ...setting, onOffence, onChoice }),
    services: guardedServices(setting.ownServices, { services: setting.services, onOffence }),
    on: (event: RunEvent) => events.push(event),
  };
  try {
    let result = await setting.graph.run(one.given, options);
    for (let rounds = 0; result.status === "suspended" && rounds < MOST_ROUNDS; rounds++) {
      const answers = answersFor(one, result);
      if (Object.keys(answers).length === 0) break;
      result = await setting.graph.resume(result.checkpoint, answers, options);
    }
    return { result, refused: null, offences, events, choices };
  } catch (error) {
    // Other errors are bugs of ours.
    if (!(error instanceof FlowsheetError)) throw error;
    return { result: null, refused: error.message, offences, events, choices };
  }
}

/** The services of a case. With recorded answers, a call without one is an offence. */
function lentServices({ services, cassette }: CaseSetting, onOffence: (offence: Offence) => void): Services {
  if (cassette === undefined) return services;
  const cure = "record it again with flowsheet run and --record, or mock the node";
  const { models } = cassette.replay(({ node, why }) => onOffence({ node, why, cure }));
  return { ...services, llm: models };
}

/** The step limit already ends runs that wait again and again. This limit only protects against a bug in it. */
const MOST_ROUNDS = 100_000;

function optionsOf({ limits, signal, log, redact }: CaseSetting, stop: AbortSignal): object {
  const { maxSteps, timeoutMs } = limits;
  const given = { timeoutMs, maxSteps: maxSteps ?? undefined, log, redact };
  return {
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    signal: signal === undefined ? stop : AbortSignal.any([signal, stop]),
  };
}

type OnChoice = (node: string, visit: number, name: string) => void;

/** Stand-ins by node: mocks, guards, and listeners for choices. */
function standInsFor(
  { graph: ir, mocks }: CaseIR,
  { graph, onChoice, ...options }: CaseSetting & GuardOptions & { readonly onChoice: OnChoice },
): { readonly [node: string]: StandIn } {
  const standIns: { [node: string]: StandIn } = Object.create(null);
  const standIn = (node: GuardedNode): StandIn | null => {
    const mocked = mocks.get(node.name);
    return mocked === undefined ? guardOf(node, options) : standInOf(mocked);
  };
  for (const [index, { name, agent, settings }] of ir.nodes.entries()) {
    const other = standIn({ name, agent: agent.written, settings });
    const own = graph.definition.nodes[name]?.agent as AnyAgent;
    if (chooses(ir, index)) standIns[name] = listening(other ?? (callOf(own) as StandIn), onChoice);
    else if (other !== null) standIns[name] = other;
  }
  for (const node of innerNodes(graph)) {
    const other = standIn(node);
    if (other !== null) standIns[node.name] = other;
  }
  return standIns;
}

/** The answers of a case for the open questions of a run. `Each/Ask` answers for all items of a loop. */
function answersFor(
  { answers }: CaseIR,
  { waiting, checkpoint }: Extract<Result<StateData>, { readonly status: "suspended" }>,
): Answers {
  const visits = new Map(asleepIn(checkpoint).map(({ node, visit }) => [node, visit]));
  const found: { [node: string]: Json } = {};
  for (const { node } of waiting) {
    const known = answers.get(node) ?? answers.get(node.replace(/\[\d+\]\//g, "/"));
    if (known !== undefined) found[node] = atVisit(known, visits.get(node) ?? 1);
  }
  return found;
}
