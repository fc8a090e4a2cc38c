import type { Carrier } from "../graph/contract/contract.js";

/** A header that others wrote, or what was kept of one: null when it is none. */
export function readCarrier(traceparent: unknown, tracestate?: unknown): Carrier | null {
  if (typeof traceparent !== "string" || !TRACEPARENT.test(traceparent)) return null;
  const isState = typeof tracestate === "string" && tracestate !== "" && TRACESTATE.test(tracestate);
  return { traceparent, ...(isState ? { tracestate } : {}) };
}

/** Version 00, or a later one that may hold more; neither id is all zeros. */
const TRACEPARENT =
  /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-[\x21-\x7e]{0,200})?$/;
const TRACESTATE = /^[\x20-\x7e]{1,512}$/;
