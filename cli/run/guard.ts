import type { NodeIR } from "../../compiler/ir.js";
import type { RunEvent, RunOptions, StateData } from "../../runtime/graph/contract/contract.js";
import { placed, type RunFailure, type WorkflowResult } from "../../runtime/runs/result.js";
import type { OpenedGraph } from "../../runtime/workflows/open-graph.js";
import { EXIT } from "../failure.js";
import type { Context } from "../process/context.js";
import type { Stuck } from "../process/watchdog.js";
import { type Cancellation, createCancellation } from "./cancellation.js";
import { tellResult } from "./outcome.js";

/**
 * Ctrl-C must end a command even when an agent blocks the event loop. Only agents of the project can do that.
 * Returns a function to call when the command is done.
 */
async function guardAgents(context: Context, { family }: OpenedGraph): Promise<() => void> {
  if (family.every(({ nodes }) => nodes.every(({ agent }) => agent.builtin))) return () => {};
  return context.events.watchThread({
    timeoutMs: null,
    cwd: context.cwd,
    onStuck: (why, place) => {
      if (why !== "interrupt") return Number(process.exitCode ?? EXIT.done);
      context.fail(`an agent does not pause${place === null ? "" : ` (${place})`}: it is stopped`);
      return EXIT.interrupted;
    },
  });
}

/** Work that Ctrl-C ends, whatever the agents do. */
export async function withGuard(
  context: Context,
  subject: OpenedGraph,
  work: (cancellation: Cancellation) => Promise<number>,
): Promise<number> {
  const cancellation = createCancellation(context);
  const done = await guardAgents(context, subject);
  try {
    return await work(cancellation);
  } finally {
    cancellation.end();
    done();
  }
}

/** The graph of a run. Of a generated module nobody knows whether its agents are of the project. */
type Guarded = Pick<OpenedGraph, "placeOf"> & Partial<Pick<OpenedGraph, "ir">>;

/** The same for a run, which also has a time-out. The partial result is written before the process ends. */
export async function guardRun(
  context: Context,
  subject: Guarded,
  options: RunOptions,
  begun: RunSoFar,
  /** A person is asked during the run. The time for that must not count as the agents'. */
  asks: boolean,
  json: boolean,
): Promise<{ readonly options: RunOptions; readonly end: () => void }> {
  const isOwn = ({ agent }: NodeIR): boolean => !agent.builtin || agent.type === "graph";
  if (subject.ir?.nodes.some(isOwn) === false) return { options, end: () => {} };
  const following = followRun(begun);
  let isTold = false;
  const onStuck = (why: Stuck, place: string | null): number => {
    const code = why === "interrupt" ? EXIT.interrupted : why === "timeout" ? EXIT.findings : null;
    if (code === null || isTold) return code ?? Number(process.exitCode ?? EXIT.done);
    const node = following.current();
    const agent = node === null ? "an agent" : `the agent of ${JSON.stringify(node)}`;
    const blame = `${agent} does not pause${place === null ? "" : ` (${place})`}`;
    const at = { graph: begun.graph, node, ...placed(node, subject.placeOf) };
    const result = following.end(
      why === "interrupt"
        ? { code: "cancelled", message: `the run was cancelled: ${blame}`, ...at }
        : {
            code: "run_timeout",
            message: `the run took longer than ${options.timeoutMs ?? 0} ms: ${blame}`,
            ...at,
          },
    );
    tellResult(context, result, json);
    return code;
  };
  const timeoutMs = asks ? null : (options.timeoutMs ?? null);
  const done = await context.events.watchThread({ timeoutMs, cwd: context.cwd, onStuck });
  return {
    options: {
      ...options,
      trace: true,
      on: (event) => {
        const isInside = "parent" in event && event.parent !== undefined;
        if (!isInside) following.take(event);
        // Only this guard needs the events inside of sub-graphs, so they are hidden from the caller.
        if (!isInside || options.trace === true) options.on?.(event);
      },
    },
    end: () => {
      isTold = true;
      done();
    },
  };
}

export interface RunSoFar {
  readonly runId: string;
  readonly graph: string;
  readonly state: StateData;
  readonly path: readonly string[];
  readonly steps: number;
}

/** The state of a run from its events: a stuck driver cannot answer. */
function followRun({ runId, graph, ...begun }: RunSoFar) {
  const state: { [field: string]: StateData[string] } = { ...begun.state };
  const path = [...begun.path];
  let { steps } = begun;
  const open = new Set<string>();
  const began = performance.now();
  return {
    take: (event: RunEvent): void => {
      if (event.type === "node_start") {
        // A visit that continues after its wait was counted before.
        if (event.step > steps) path.push(event.node);
        steps = Math.max(steps, event.step);
        open.add(event.node);
      } else if (event.type === "node_end") {
        open.delete(event.node);
        Object.assign(state, event.writes);
      }
    },
    /** The node that is being visited; null when there are several, or none. */
    current: (): string | null => (open.size === 1 ? ([...open][0] ?? null) : null),
    /** The run as if it had ended here. */
    end: (error: RunFailure): WorkflowResult => {
      const durationMs = performance.now() - began;
      const status = error.code === "cancelled" ? "cancelled" : "failed";
      return { runId, graph, status, success: false, state, path, steps, durationMs, error, waiting: [] };
    },
  };
}
