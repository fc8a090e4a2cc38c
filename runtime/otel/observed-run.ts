import type { Attributes, Context, Span, Tracer } from "@opentelemetry/api";
import type { Place } from "../../compiler/ir.js";
import type {
  CallEndSeen,
  CallSeen,
  Carrier,
  ObservedRun,
  RunOrigin,
  VisitSeen,
} from "../graph/contract/contract.js";
import { callSeen } from "../graph/tell/observe.js";
import { isThenable } from "../graph/values/values.js";
import { attribute, NODE_EVENT, spanNames } from "./names.js";
import type { Api } from "./telemetry.js";

export interface RunSpan {
  readonly tracer: Tracer;
  readonly span: Span;
  /** The context of the run's span. */
  readonly inside: Context;
  readonly graph: string;
  readonly content: boolean;
  readonly carrier: Carrier | null;
  readonly placeOf: RunOrigin["placeOf"] | null;
}

/** An agent that only computes gets a span when it takes longer. */
const LONG_MS = 1;

/** The span of a run with a span for each call of an agent, or an event for one that only computes. */
export function observedRun(api: Api, run: RunSpan): ObservedRun {
  const { tracer, span, inside } = run;
  /** Calls that have not ended: an agent may go on after its run was stopped. */
  const atWork = new Set<Span>();

  const close = (node: Span, told: Attributes, { outcome, error }: CallEndSeen): void => {
    if (!atWork.delete(node)) return;
    node.setAttributes(told);
    if (outcome === "thrown") fail(api, node, "agent_failed", run.content ? error : null);
    node.end();
  };

  function called<T>(seen: CallSeen, call: () => T): T {
    const node = quietly(() =>
      tracer.startSpan(spanNames.node(seen.node), { attributes: facts(run, seen) }, inside),
    );
    if (node === undefined) return call();
    atWork.add(node);
    const end = (told: CallEndSeen): void => close(node, endFacts(run, seen, told), told);
    return settling(() => within(api, () => api.trace.setSpan(inside, node), call), seen, end);
  }

  /** Its span, if there is one, is made when its time is known. */
  function computed<T>(seen: CallSeen, call: () => T): T {
    const [startTime, began] = [Date.now(), performance.now()];
    const end = (told: CallEndSeen): void => {
      const ms = performance.now() - began;
      const all = { ...facts(run, seen), ...endFacts(run, seen, told) };
      if (ms < LONG_MS) span.addEvent(NODE_EVENT, { ...all, [attribute.ms]: ms });
      else {
        const late = tracer.startSpan(spanNames.node(seen.node), { startTime }, inside);
        atWork.add(late);
        close(late, all, told);
      }
    };
    return settling(call, seen, end);
  }

  return {
    carrier: run.carrier,
    call<T>(visit: VisitSeen, call: () => T): T {
      const seen = callSeen(visit);
      return seen.kind === "pure" ? computed(seen, call) : called(seen, call);
    },
    end({ status, error }) {
      for (const node of atWork)
        quietly(() => {
          node.setAttribute(attribute.outcome, "stopped");
          node.end();
        });
      atWork.clear();
      quietly(() => {
        span.setAttribute(attribute.status, status);
        if (error !== null) fail(api, span, error.code, run.content ? error.message : null);
        span.end();
      });
    },
  };
}

/** Tells the end of a call, now or when its promise settles. */
function settling<T>(call: () => T, seen: CallSeen, end: (told: CallEndSeen) => void): T {
  let answer: T;
  try {
    answer = call();
  } catch (thrown) {
    quietly(() => end(seen.thrown(thrown)));
    throw thrown;
  }
  if (!isThenable(answer)) {
    quietly(() => end(seen.answered(answer)));
    return answer;
  }
  // A thenable may do its work each time it is asked, so it is asked once.
  const promise = Promise.resolve(answer);
  promise.then(
    (value) => quietly(() => end(seen.answered(value))),
    (thrown) => quietly(() => end(seen.thrown(thrown))),
  );
  return promise as T;
}

/** Calls inside of a context, once, whatever the process's manager of contexts does with it. */
export function within<T>({ context }: Pick<Api, "context">, at: () => Context, call: () => T): T {
  let became: (() => T) | null = null;
  const once = (): void => {
    became ??= outcomeOf(call);
  };
  quietly(() => context.with(at(), once));
  once();
  return (became as unknown as () => T)();
}

/** What a call gives or throws, to be taken later. */
function outcomeOf<T>(call: () => T): () => T {
  try {
    const answer = call();
    return () => answer;
  } catch (thrown) {
    return () => {
      throw thrown;
    };
  }
}

/** What a tracer or an exporter throws is no error of the run. */
export function quietly<T>(tell: () => T): T | undefined {
  try {
    return tell();
  } catch {
    return undefined;
  }
}

/** A message may repeat what a host or a database has answered, so it is content, too. */
export function fail(
  { SpanStatusCode }: Pick<Api, "SpanStatusCode">,
  span: Span,
  code: string,
  message: string | null,
): void {
  span.setAttribute(attribute.error, code);
  span.setStatus({ code: SpanStatusCode.ERROR, ...(message === null ? {} : { message }) });
}

function facts({ graph, placeOf }: RunSpan, { node, agent, visit, attempt, branch }: CallSeen): Attributes {
  const place = placeOf?.(node) ?? null;
  return {
    [attribute.graph]: graph,
    [attribute.node]: node,
    [attribute.visit]: visit,
    [attribute.attempt]: attempt,
    ...(agent === null ? {} : { [attribute.agent]: agent }),
    ...(branch.length === 0 ? {} : { [attribute.branch]: branch.join(".") }),
    ...(place === null ? {} : { [attribute.sheet]: place.file, [attribute.row]: rowOf(place) }),
  };
}

const rowOf = ({ cell, line }: Place): number => Number(/\d+$/.exec(cell ?? "")?.[0] ?? line);

function endFacts({ content }: RunSpan, seen: CallSeen, { outcome, usage, writes }: CallEndSeen): Attributes {
  return {
    [attribute.outcome]: outcome,
    ...(usage === null
      ? {}
      : {
          [attribute.inputTokens]: usage.input_tokens,
          [attribute.outputTokens]: usage.output_tokens,
        }),
    ...(content ? { ...contentOf(seen), [attribute.writes]: shortened(writes) } : {}),
  };
}

function contentOf(seen: CallSeen): Attributes {
  const { inputs, prompt } = seen.seen();
  return {
    [attribute.inputs]: shortened(inputs),
    ...(prompt === null ? {} : { [attribute.prompt]: shortened(prompt) }),
  };
}

const LONGEST = 4_000;

function shortened(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
