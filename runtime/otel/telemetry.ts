import type * as OpenTelemetry from "@opentelemetry/api";
import type { Context, Link, Span, SpanKind, SpanOptions, Tracer } from "@opentelemetry/api";
import type { Carrier, ObservedRun, Observer, RunOrigin, RunSeen } from "../graph/contract/contract.js";
import { readCarrier } from "./carrier.js";
import { chatting } from "./chat.js";
import type { Telemetry, TelemetryOptions } from "./contract.js";
import { attribute, genAi, spanNames, TRACER } from "./names.js";
import { observedRun, quietly } from "./observed-run.js";

/** What is used of the package. */
export type Api = Pick<
  typeof OpenTelemetry,
  "trace" | "context" | "propagation" | "ROOT_CONTEXT" | "SpanKind" | "SpanStatusCode"
>;

/** Tells runs to whatever the process has registered with OpenTelemetry. */
export function createTelemetry(api: Api, options: TelemetryOptions = {}): Telemetry {
  const tracer = quietly(() => api.trace.getTracer(TRACER)) ?? NO_TRACER;
  const runs = new TracedRuns(api, tracer, options);
  const from = (origin: RunOrigin): Required<Observer> => ({
    begin: (seen) => quietly(() => runs.begin(seen, origin)) ?? UNSEEN,
    from: (more) => from({ ...origin, ...more }),
    started: (graph, carrier) =>
      quietly(() => runs.started(graph, carrier ?? origin.carrier ?? null)) ?? null,
  });
  return {
    ...from({}),
    headers: () => ({ ...quietly(() => runs.carrierOf(api.context.active())) }),
    models: (models) => chatting(api, { models, isGenAi: options.genAi === true, tracer }),
  };
}

/** Whoever has registered a provider that gives none is told nothing. */
const NO_TRACER: Tracer = {
  startSpan: () => {
    throw new Error("there is no tracer");
  },
  startActiveSpan: () => {
    throw new Error("there is no tracer");
  },
};

/** A run that could not be told. */
const UNSEEN: ObservedRun = { carrier: null, call: (_, call) => call(), end: () => {} };

/** Where a run's span begins. */
interface Beginning {
  readonly at: Context;
  readonly links: readonly Link[];
  readonly kind: SpanKind;
}

class TracedRuns {
  readonly #tracer: Tracer;
  readonly #api: Api;
  readonly #options: TelemetryOptions;

  constructor(api: Api, tracer: Tracer, options: TelemetryOptions) {
    this.#api = api;
    this.#tracer = tracer;
    this.#options = options;
  }

  begin(seen: RunSeen, origin: RunOrigin): ObservedRun {
    const { graph, runId, isInner } = seen;
    const { content = false, genAi: isGenAi = false } = this.#options;
    const { at, links, kind } = this.#beginning(seen, origin);
    const attributes = {
      [attribute.graph]: graph,
      [attribute.run]: runId,
      ...(isGenAi ? { [genAi.operation]: "invoke_workflow", [genAi.workflow]: graph } : {}),
    };
    const about = { attributes, links: [...links], kind };
    const { span, inside } = this.#open(spanNames.run(graph), at, about);
    const placeOf = isInner ? null : (origin.placeOf ?? null);
    const carrier = this.carrierOf(inside);
    return observedRun(this.#api, { tracer: this.#tracer, span, inside, content, graph, carrier, placeOf });
  }

  started(graph: string, carrier: Carrier | null): Carrier | null {
    const at = this.#hasParent() || carrier === null ? this.#api.context.active() : this.#within(carrier);
    const about = { attributes: { [attribute.graph]: graph }, kind: this.#api.SpanKind.PRODUCER };
    const { span, inside } = this.#open(spanNames.start(graph), at, about);
    span.end();
    return this.carrierOf(inside);
  }

  carrierOf(inside: Context): Carrier | null {
    const written: { [key: string]: string } = {};
    this.#api.propagation.inject(inside, written);
    return readCarrier(written["traceparent"], written["tracestate"]);
  }

  #beginning({ isInner, earlier }: RunSeen, origin: RunOrigin): Beginning {
    const { SpanKind: kinds, ROOT_CONTEXT } = this.#api;
    const { carrier = null, isKept = false, isLater = earlier !== null } = origin;
    const active = this.#api.context.active();
    const kind = isKept ? kinds.CONSUMER : kinds.INTERNAL;
    if (isInner) return { at: active, links: [], kind: kinds.INTERNAL };
    // Some request has begun the worker, but its runs come from elsewhere.
    const at = isKept ? ROOT_CONTEXT : active;
    if (isLater) return { at, links: this.#linksTo(earlier ?? carrier), kind };
    const isOurs = carrier === null || (!isKept && this.#hasParent());
    return { at: isOurs ? at : this.#within(carrier), links: [], kind };
  }

  #hasParent(): boolean {
    return this.#api.trace.getSpanContext(this.#api.context.active()) !== undefined;
  }

  #open(name: string, at: Context, about: SpanOptions): { readonly span: Span; readonly inside: Context } {
    const span = this.#tracer.startSpan(name, about, at);
    return { span, inside: this.#api.trace.setSpan(at, span) };
  }

  #within(carrier: Carrier): Context {
    return this.#api.propagation.extract(this.#api.ROOT_CONTEXT, { ...carrier });
  }

  /** What was kept with a run may have been written by anybody. */
  #linksTo(carrier: Carrier | null): readonly Link[] {
    const read = carrier === null ? null : readCarrier(carrier.traceparent, carrier.tracestate);
    const linked = read === null ? undefined : this.#api.trace.getSpanContext(this.#within(read));
    return linked === undefined ? [] : [{ context: linked }];
  }
}
