/** What analysis is told about the world outside the sheet: it does no I/O itself. */

import type { ColumnName, FoundTable, GraphIR, Json, TestColumn } from "./ir.js";
import type { ToolTypes } from "./types/from-schema.js";

/** The JSON a setting must hold. `node` and `graph` are names that must exist; `nodes` maps values to nodes. */
export type SettingShape =
  | { readonly kind: "string" | "number" | "integer" | "boolean" | "list" | "object" | "any" }
  | { readonly kind: "one-of"; readonly values: readonly string[] }
  | { readonly kind: "node" | "nodes" | "graph" | "field" }
  /** A text, or an object or list of texts, in which `{name}` stands for an input. */
  | { readonly kind: "template" | "templates" }
  | { readonly kind: "either"; readonly shapes: readonly SettingShape[] };

/** What a built-in agent is, as far as a sheet can tell. */
export interface AgentFacts {
  readonly type: string;
  /** Other names it answers to. */
  readonly aliases: readonly string[];
  /** An unset input is empty text to it. */
  readonly text: boolean;
  /** `succeeds` always, `signals` failure by nature, or always `fails`. */
  readonly outcome: "succeeds" | "signals" | "fails";
  /** A signalled failure sets the field `error`. */
  readonly setsError: boolean;
  /** It goes to one of its targets instead of all. */
  readonly chooses: boolean;
  /** Its output field may be given by the caller. */
  readonly asks: boolean;
  /**
   * What it produces: `echo` the prompt, else its input; `typed` what the sheet says, else text; `receipt` of a file;
   * `answer` of a host; a `list` like its first input; the value of its `formula`; `rows` of a database.
   */
  readonly produces:
    | "string"
    | "boolean"
    | "echo"
    | "typed"
    | "receipt"
    | "answer"
    | "list"
    | "formula"
    | "rows"
    | "unknown";
  readonly settings: { readonly [name: string]: SettingShape };
  /** The kinds of connections that its setting `connection` may name. */
  readonly connects?: readonly string[];
}

/** One line for each agent, setting and column: what editors show beside a name. */
export interface About {
  readonly agents: { readonly [type: string]: AboutAgent };
  /** The settings that every node may have. */
  readonly everyNode: { readonly [setting: string]: string };
  readonly columns: { readonly [column in ColumnName]: string };
  /** The values of the run that inputs may read. */
  readonly runValues: { readonly [name: string]: string };
  readonly testColumns: { readonly [column in TestColumn]: string };
}

export interface AboutAgent {
  readonly line: string;
  readonly settings: { readonly [name: string]: string };
}

/** The text of a prompt, or why there is none; `meant` is a similar name that has one. */
export type FoundPrompt =
  | { readonly text: string }
  | { readonly missing: string; readonly meant?: string | null };

export interface World {
  readonly agents: readonly AgentFacts[];
  /** Normalised types of the custom agents that are there, or null when nobody looked. */
  readonly customAgents: ReadonlySet<string> | null;
  /** Those that may be there: what they are is seen only when they are loaded. */
  readonly possibleAgents?: ReadonlySet<string>;
  /** Why a file that may be meant to give an agent of a type gives none, and the cure. It is asked for unknown agents only. */
  readonly passedOver?: (
    type: string,
  ) => { readonly file: string; readonly what: string; readonly cure: string } | null;
  /** Those whose declared result includes a failure; looked at where modules are made. */
  readonly failingAgents?: ReadonlySet<string>;
  /** How much an unknown agent matters: a warning where nothing is run. */
  readonly unknownAgent: "error" | "warning";
  /** Text of a `file:` or `prompt:` reference, or why it leads nowhere; null: references are not looked up here. */
  readonly prompt: ((kind: "file" | "prompt", name: string) => FoundPrompt) | null;
  /** The kinds of the configuration's connections, by name; absent: there is no configuration, or nobody looked. */
  readonly connections?: ReadonlyMap<string, string> | null;
  /** What a tool of a server of `mcp.servers` declares; null or absent: nobody has asked the server. */
  readonly tool?: (server: string, tool: string) => ToolTypes | null;
  /**
   * A worksheet of the same workbook, or a CSV file of the data folder. Absent, or null for one of them: tables are
   * not looked up here.
   */
  readonly table?: (name: string) => FoundTable | null;
  /** Names of graphs that other sheets define, also as `sheet::Graph`; null: not known here. */
  readonly otherGraphs: ReadonlySet<string> | null;
  /** A graph of another sheet by such a name; null when it is not known, or is itself being understood. */
  readonly otherGraph?: (name: string) => GraphIR | null;
  /** What a built-in agent lacks on this machine, and the cure; null when all is there. */
  readonly lacks: (
    agentType: string,
    settings: { readonly [name: string]: Json },
  ) => { readonly what: string; readonly cure: string } | null;
}
