import type { RunOptions } from "../../runtime/graph/contract/contract.js";
import { placed } from "../../runtime/runs/result.js";
import type { OpenedGraph } from "../../runtime/workflows/open-graph.js";
import { EXIT } from "../failure.js";
import type { Context } from "../process/context.js";
import type { Stuck } from "../process/stuck.js";
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
    const facts = { why, place, timeoutMs, placeOf: subject.placeOf };
    tellResult(context, stuckResult(account, facts), { json, trace: null });
    return code;
  };
  const timeoutMs = asks ? null : (options.timeoutMs ?? null);
  const done = await context.happenings.watchThread({ timeoutMs, cwd: context.cwd, onStuck });
  return {
    options: {
      ...options,
      trace: true,
      on: (event) => {
        const isInside = "parent" in event && event.parent !== undefined;
        if (!isInside) account.take(event);
        // It is traced for the account; who watches did not ask for what happens inside of sub-graphs.
        if (!isInside || options.trace === true) options.on?.(event);
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
  /** In the agents' code. */
  readonly place: string | null;
  readonly timeoutMs: number;
  readonly placeOf: OpenedGraph["placeOf"];
}

function stuckResult(account: Account, { why, place, timeoutMs, placeOf }: StuckFacts) {
  const node = account.current();
  const agent = node === null ? "an agent" : `the agent of ${JSON.stringify(node)}`;
  const blame = `${agent} does not pause${place === null ? "" : ` (${place})`}`;
  const at = { node, ...placed(node, placeOf) };
  if (why === "interrupt")
    return account.end("cancelled", { code: "cancelled", message: `the run was cancelled: ${blame}`, ...at });
  const message = `the run took longer than ${timeoutMs} ms: ${blame}`;
  return account.end("failed", { code: "run_timeout", message, ...at });
}
