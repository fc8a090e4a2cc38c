/** Where a run comes from, in the words of W3C Trace Context. This file holds no code. */
export interface Carrier {
  readonly traceparent: string;
  readonly tracestate?: string;
}
