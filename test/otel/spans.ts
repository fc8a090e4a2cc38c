import { context, propagation, trace } from "@opentelemetry/api";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";

/** All spans that end while tests run: the real SDK, which keeps them in memory. */
export const exported = new InMemorySpanExporter();

export function register(): void {
  new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exported)] }).register();
}

export function unregister(): void {
  trace.disable();
  context.disable();
  propagation.disable();
}

/** The spans since the last call. */
export function taken(): readonly ReadableSpan[] {
  const spans = exported.getFinishedSpans();
  exported.reset();
  return spans;
}

export const named = (spans: readonly ReadableSpan[], name: string): ReadableSpan => {
  const found = spans.filter((span) => span.name === name);
  if (found.length !== 1)
    throw new Error(`${found.length} spans are called ${name}: ${spans.map((one) => one.name)}`);
  return found[0]!;
};

/** Spans and events as an indented list: what is inside stands under what is around, and names are in order. */
export function treeOf(spans: readonly ReadableSpan[]): readonly string[] {
  const ids = new Set(spans.map((span) => span.spanContext().spanId));
  const parentOf = ({ parentSpanContext: at }: ReadableSpan): string | null =>
    at !== undefined && ids.has(at.spanId) ? at.spanId : null;
  const under = (parent: string | null, indent: string): (readonly string[])[] =>
    spans.filter((span) => parentOf(span) === parent).map((span) => linesOf(span, indent));
  const linesOf = (span: ReadableSpan, indent: string): readonly string[] => {
    const inside = `${indent}  `;
    const events = span.events.map(({ attributes }) => [`${inside}(${attributes?.["flowsheet.node"]})`]);
    return [`${indent}${nameOf(span)}`, ...inOrder([...events, ...under(span.spanContext().spanId, inside)])];
  };
  return inOrder(under(null, ""));
}

const inOrder = (told: readonly (readonly string[])[]): readonly string[] =>
  [...told].sort(([a = ""], [b = ""]) => (a < b ? -1 : 1)).flat();

/** What only computes has an event on a quick machine, and a span on a slow one. */
const nameOf = ({ name, attributes }: ReadableSpan): string =>
  ["echo", "formula"].includes(String(attributes["flowsheet.agent"]))
    ? `(${attributes["flowsheet.node"]})`
    : name;
