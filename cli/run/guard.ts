import type { RunOptions } from "../../runtime/graph/contract.js";
import type { OpenedGraph } from "../../runtime/workflows/open-graph.js";
import type { Context } from "../context.js";
import { EXIT } from "../failure.js";
import type { Stuck } from "../stuck.js";
import { type Account, type Beginning, createAccount } from "./account.js";
import { tellResult } from "./outcome.js";

export interface Guarding {
  readonly subject: OpenedGraph;
  readonly options: RunOptions;
  readonly begun: Beginning;
  readonly json: boolean;
  /** A person is asked in between: how long that takes says nothing of the agents. */
  readonly asks: boolean;
}

export interface Guarded {
  readonly options: RunOptions;
  /** To be called when the result has been told. */
  readonly end: () => void;
}

/**
 * Sees to it that Ctrl-C and the time-out end a run whose agents never pause. Only agents of the project can do
 * that, so other runs pay nothing.
 */
export async function guardRun(context: Context, guarding: Guarding): Promise<Guarded> {
  const { subject, options, begun, json, asks } = guarding;
  if (!subject.ir.nodes.some(({ agent }) => !agent.builtin || agent.type === "graph"))
    return { options, end: () => {} };
  const account = createAccount(begun);
  let told = false;
  const onStuck = (why: Stuck, place: string | null): number => {
    const code = why === "interrupt" ? EXIT.interrupted : why === "timeout" ? EXIT.findings : null;
    if (code === null || told) return code ?? Number(process.exitCode ?? EXIT.done);
    const { timeoutMs = 0 } = options;
    tellResult(context, stuckResult(account, { why, place, timeoutMs }), { json, trace: null });
    return code;
  };
  const timeoutMs = asks ? null : (options.timeoutMs ?? null);
  const done = await context.happenings.watchThread({ timeoutMs, cwd: context.cwd, onStuck });
  return {
    options: {
      ...options,
      trace: true,
      on: (event) => {
        account.take(event);
        options.on?.(event);
      },
    },
    end: () => {
      told = true;
      done();
    },
  };
}

interface StuckFacts {
  readonly why: Stuck;
  readonly place: string | null;
  readonly timeoutMs: number;
}

function stuckResult(account: Account, { why, place, timeoutMs }: StuckFacts) {
  const node = account.current();
  const agent = node === null ? "an agent" : `the agent of ${JSON.stringify(node)}`;
  const blame = `${agent} does not pause${place === null ? "" : ` (${place})`}`;
  if (why === "interrupt")
    return account.end("cancelled", { code: "cancelled", message: `the run was cancelled: ${blame}` });
  const message = `the run took longer than ${timeoutMs} ms: ${blame}`;
  return account.end("failed", { code: "run_timeout", message });
}
