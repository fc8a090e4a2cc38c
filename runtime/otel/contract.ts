/** What tells runs. It stands apart from the code, so that its types need no package. */

import type { Observer } from "../graph/contract/contract.js";
import type { LanguageModels } from "../graph/contract/services.js";

export interface TelemetryOptions {
  /** Inputs, prompts and what nodes write become attributes, without secrets; false by default. */
  readonly content?: boolean;
  /** Writes the `gen_ai` attributes, too; false by default. */
  readonly genAi?: boolean;
}

export interface Telemetry extends Required<Observer> {
  /** The headers by which another service goes on with the trace. */
  headers(): { readonly [name: string]: string };
  models(models: LanguageModels): LanguageModels;
}
