import * as api from "@opentelemetry/api";
import type { Observer } from "../graph/contract/contract.js";
import type { TelemetryOptions } from "./contract.js";
import { createTelemetry } from "./telemetry.js";

export type { TelemetryOptions };

/** Observes runs with OpenTelemetry: give it to a run as `observer`. The process registers where spans go. */
export function telemetry(options: TelemetryOptions = {}): Observer {
  const { begin } = createTelemetry(api, options);
  return { begin };
}
