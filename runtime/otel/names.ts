/**
 * All names of spans and attributes. The `gen_ai` ones are of the semantic conventions 1.45.0, where they are still in
 * development: they are written only when `OTEL_SEMCONV_STABILITY_OPT_IN` asks for them.
 */

export const TRACER = "flowsheet";
/** The word of `OTEL_SEMCONV_STABILITY_OPT_IN`. */
export const OPT_IN = "gen_ai_latest_experimental";

export const spanNames = {
  run: (graph: string): string => `invoke_workflow ${graph}`,
  start: (graph: string): string => `start ${graph}`,
  node: (node: string): string => `flowsheet.node ${node}`,
  chat: (model: string): string => `chat ${model}`,
} as const;

/** The event of a node that only computes, and is quick. */
export const NODE_EVENT = "flowsheet.node";

export const attribute = {
  graph: "flowsheet.graph",
  run: "flowsheet.run_id",
  status: "flowsheet.status",
  node: "flowsheet.node",
  agent: "flowsheet.agent",
  row: "flowsheet.row",
  sheet: "flowsheet.sheet",
  visit: "flowsheet.visit",
  attempt: "flowsheet.attempt",
  branch: "flowsheet.branch",
  outcome: "flowsheet.outcome",
  ms: "flowsheet.ms",
  inputTokens: "flowsheet.tokens.input",
  outputTokens: "flowsheet.tokens.output",
  model: "flowsheet.model",
  provider: "flowsheet.provider",
  inputs: "flowsheet.content.inputs",
  prompt: "flowsheet.content.prompt",
  writes: "flowsheet.content.writes",
  error: "error.type",
} as const;

export const genAi = {
  operation: "gen_ai.operation.name",
  workflow: "gen_ai.workflow.name",
  provider: "gen_ai.provider.name",
  requestModel: "gen_ai.request.model",
  responseModel: "gen_ai.response.model",
  inputTokens: "gen_ai.usage.input_tokens",
  outputTokens: "gen_ai.usage.output_tokens",
} as const;
