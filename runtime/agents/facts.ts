import type { AgentFacts, SettingShape } from "../../compiler/world.js";

const string: SettingShape = { kind: "string" };
const number: SettingShape = { kind: "number" };
const integer: SettingShape = { kind: "integer" };
const template: SettingShape = { kind: "template" };
const templates: SettingShape = { kind: "templates" };
const list: SettingShape = { kind: "list" };
const object: SettingShape = { kind: "object" };
const anything: SettingShape = { kind: "any" };
const oneOf = (...values: string[]): SettingShape => ({ kind: "one-of", values });
const either = (...shapes: SettingShape[]): SettingShape => ({ kind: "either", shapes });

/** The defaults: an agent succeeds or throws, and has no settings of its own. */
const plain = {
  aliases: [],
  text: false,
  outcome: "succeeds",
  setsError: true,
  chooses: false,
  asks: false,
  produces: "string",
  settings: {},
} as const satisfies Omit<AgentFacts, "type">;

/** Of agents that ask people: who may answer, and what happens when nobody does. */
const asked = {
  remind_ms: number,
  assignee: either(string, list, object),
  not_starter: { kind: "boolean" },
  escalate: object,
} as const;
const model = {
  provider: string,
  model: string,
  temperature: number,
  max_tokens: integer,
  system: string,
  memory_key: string,
  fallback: either(string, list, object),
  choices: list,
};
const file = { collection: string };
const entries = {
  ...file,
  id: either(string, number),
  id_from: { kind: "field" },
  id_field: string,
  query: object,
} as const;
const reading = { ...entries, default: anything };
const columns = {
  types: object,
  decimal: oneOf(".", ","),
  thousands: oneOf(".", ",", " ", "'"),
  date_format: string,
};
const writing = {
  mode: oneOf("write", "append", "update", "delete"),
  value: either({ kind: "field" }, list),
};
const changing = { ...entries, ...writing, upsert: { kind: "boolean" } } as const;

const reader = { ...plain, produces: "unknown", settings: reading } as const;
const writer = { ...plain, produces: "receipt", settings: changing } as const;
const llm = { ...plain, text: true, produces: "typed", settings: model } as const;

/** The properties of each built-in agent for analysis, which does not load the agents. */
export const agentFacts: readonly AgentFacts[] = [
  { ...plain, type: "default", text: true, produces: "echo" },
  { ...plain, type: "echo", text: true, produces: "echo" },
  { ...plain, type: "input", text: true, asks: true, produces: "typed", settings: asked },
  {
    ...plain,
    type: "human",
    text: true,
    outcome: "signals",
    setsError: false,
    asks: true,
    produces: "typed",
    settings: {
      interaction: oneOf("approval", "choice", "text"),
      options: list,
      default_action: string,
      ...asked,
    },
  },
  {
    ...plain,
    type: "branching",
    outcome: "signals",
    setsError: false,
    produces: "boolean",
    settings: {
      success_field: { kind: "field" },
      success_values: list,
      failure_values: list,
      default_result: anything,
      when: object,
      if: string,
    },
  },
  { ...plain, type: "formula", aliases: ["calculate", "expression"], produces: "formula" },
  {
    ...plain,
    type: "switch",
    chooses: true,
    settings: { cases: { kind: "nodes" }, default: { kind: "node" } },
  },
  { ...plain, type: "success", text: true },
  { ...plain, type: "failure", text: true, outcome: "fails" },
  { ...llm, type: "llm" },
  { ...llm, type: "openai", aliases: ["gpt", "chatgpt"] },
  { ...llm, type: "anthropic", aliases: ["claude"] },
  { ...llm, type: "google", aliases: ["gemini"] },
  {
    ...plain,
    type: "summary",
    text: true,
    settings: {
      format: string,
      separator: string,
      include_keys: either(list, string, { kind: "boolean" }),
      ...model,
      llm: either(string, { kind: "boolean" }),
    },
  },
  {
    ...plain,
    type: "orchestrator",
    chooses: true,
    settings: { strategy: oneOf("keywords", "llm"), default_target: { kind: "node" }, ...model },
  },
  {
    ...plain,
    type: "graph",
    produces: "unknown",
    settings: {
      graph: { kind: "graph" },
      over: { kind: "field" },
      as: string,
      concurrency: integer,
      on_error: oneOf("fail", "collect"),
    },
  },
  {
    ...plain,
    type: "list",
    produces: "list",
    settings: {
      do: oneOf("filter", "sort", "unique", "limit", "group", "flatten", "pick"),
      where: either(object, string, list, number),
      by: either(string, list),
      order: oneOf("asc", "desc"),
      count: integer,
      fields: either(list, string),
    },
  },
  { ...plain, type: "wait", settings: { for: string, until: { kind: "field" } } },
  {
    ...plain,
    type: "mail",
    text: true,
    connects: ["smtp"],
    settings: {
      connection: string,
      to: either(template, list),
      cc: either(template, list),
      subject: template,
      html: { kind: "boolean" },
      attach: either(template, list),
    },
  },
  {
    ...plain,
    type: "notify",
    text: true,
    connects: ["slack", "teams", "discord", "telegram", "webhook"],
    settings: { connection: string },
  },
  { ...plain, type: "mcp", produces: "unknown", settings: { server: string, tool: string } },
  {
    ...plain,
    type: "sql",
    produces: "rows",
    connects: ["sqlite", "postgres"],
    settings: {
      connection: string,
      read_only: { kind: "boolean" },
      once: { kind: "boolean" },
      max_rows: integer,
    },
  },
  {
    ...plain,
    type: "http",
    produces: "answer",
    connects: ["bearer", "basic", "header"],
    settings: {
      method: oneOf("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"),
      url: template,
      query: templates,
      headers: templates,
      body: oneOf("json", "form", "text", "none"),
      connection: string,
      expect: list,
      parse: oneOf("auto", "json", "text", "csv"),
      max_bytes: integer,
      next: string,
    },
  },
  { ...reader, type: "json_reader" },
  { ...writer, type: "json_writer" },
  { ...reader, type: "csv_reader", settings: { ...reading, ...columns } },
  { ...writer, type: "csv_writer", settings: { ...changing, delimiter: oneOf(",", ";", "\t") } },
  {
    ...reader,
    type: "file_reader",
    settings: { ...file, id: number, id_from: { kind: "field" }, query: object, default: anything },
  },
  { ...writer, type: "file_writer", settings: { ...file, ...writing, upsert: { kind: "boolean" } } },
];
