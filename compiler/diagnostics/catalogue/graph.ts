import { visible } from "../visible.js";
import { bare, error, list, type Meant, meant, quote } from "./rule.js";

export interface MissingAgent extends Meant {
  readonly type: string;
  /** A file that may be meant to hold the agent. */
  readonly seen: { readonly file: string; readonly what: string; readonly cure: string } | null;
  readonly cure: { readonly scaffold: string } | { readonly refused: string } | { readonly instead: string };
}

function missingAgentHelp({ suggestion, seen, cure }: MissingAgent): string | null {
  if (seen !== null) return visible(`${seen.file} was seen and gives no agent: ${seen.what}; ${seen.cure}`);
  const other = meant({ suggestion });
  if ("instead" in cure) return cure.instead;
  const [doing, how] =
    "scaffold" in cure
      ? ["write it", `flowsheet scaffold --agent ${cure.scaffold}`]
      : ["rename it", cure.refused];
  return other === null ? `${doing}: ${how}` : `${other} Else ${doing}: ${how}`;
}

/** A missing precondition of an agent, which would throw at every visit. `nodes`: targets that no route reaches. */
export interface Lacking {
  readonly type: string;
  readonly agent: string;
  readonly need: "targets" | "inputs" | "message" | "file" | "value" | "address" | "text" | "statement";
  readonly nodes: readonly string[];
}

const NEEDS: { readonly [need in Lacking["need"]]: { readonly why: string; readonly cure: string } } = {
  targets: {
    why: "it lists no node to choose from",
    cure: "name its nodes in next_node, as in Refund|Answer",
  },
  inputs: { why: "it has no input to go by", cure: "name the field that it goes by in input_fields" },
  message: {
    why: "it has neither a prompt nor an input to send",
    cure: "write a prompt, or name in input_fields what it should send",
  },
  file: {
    why: "no file is named",
    cure: 'name the file in the prompt, or in the settings: {"collection": "orders.json"}',
  },
  value: { why: "it has nothing to write", cure: "name the field that it should write in input_fields" },
  text: { why: "it has nothing to say", cure: "write the message as its prompt" },
  statement: { why: "it has no statement", cure: "write the statement as its prompt" },
  address: { why: "it has no address to call", cure: 'write it into the setting "url"' },
};

function lackingHelp({ type, need, nodes }: Lacking): string {
  const { cure } = NEEDS[need];
  if (need === "targets" && nodes.length > 0) {
    const names = nodes.slice(0, 8).map((name) => bare(name));
    return `name the nodes that it chooses from in next_node, such as ${names.join("|")}`;
  }
  if (need === "targets" && type === "switch") return `${cure}, or set "cases"`;
  if (need === "value" && type === "file_writer")
    return `${cure}; where "collection" names the file, it writes its prompt`;
  if (need !== "inputs" || type === "branching" || type === "list") return cure;
  return `${cure}, or set ${type === "switch" ? '"default"' : '"default_target"'}`;
}

/** Two types that disagree: of a writer and a reader, an annotation and an agent, or two readers of an input. */
type TypeClash =
  | ({ readonly field: string } & (
      | { readonly written: string; readonly writer: string; readonly read: string; readonly reader: string }
      | {
          readonly declared: string;
          readonly agent: string;
          readonly node: string;
          readonly produces: string;
        }
      | { readonly summed: string; readonly node: string }
      | {
          readonly first: string;
          readonly firstReader: string;
          readonly second: string;
          readonly secondReader: string;
        }
      | AgentClash
    ))
  /** A file that TypeScript may not read, and the file where it would look for its types. */
  | { readonly untyped: string; readonly declarations: string }
  /** A message of TypeScript on a cell or a project file, when there is no simpler one. */
  | { readonly says: string; readonly inFile?: true }
  /** A problem with the project's modules, and its cure. */
  | { readonly says: string; readonly cure: string };

/** A row that does not fit the types of its agent. */
type AgentClash = { readonly agent: string; readonly node: string } & (
  | { readonly given: string; readonly takes: string }
  | { readonly maybeUnset: true; readonly takes: string }
  /** The input is optional, but the agent's type does not accept undefined. */
  | { readonly exact: string; readonly takes: string }
  | { readonly notGiven: true; readonly takes: string }
  | { readonly gives: string }
);

function agentClashText(p: { readonly field: string } & AgentClash): string {
  const agent = `agent ${quote(p.agent)} of ${quote(p.node)}`;
  if ("gives" in p) return `${agent} gives no ${quote(p.field)}: its result is ${bare(p.gives)}`;
  if ("given" in p) return `${quote(p.field)} is ${bare(p.given)}, but ${agent} takes ${bare(p.takes)}`;
  if ("exact" in p)
    return `${quote(p.field)} comes as undefined where it is unset, but ${agent} takes only ${bare(p.takes)} for ${quote(p.exact)}`;
  if ("maybeUnset" in p) return `${quote(p.field)} may be unset, but ${agent} needs ${bare(p.takes)}`;
  return `${agent} needs the input ${quote(p.field)} (${bare(p.takes)}), which the row does not give it`;
}

const IN_FILE = "mend this file: the error is in the code of your agents, not in the sheet";

function clashHelp(p: TypeClash): string | null {
  if ("cure" in p) return p.cure;
  if ("says" in p) return p.inFile === true ? IN_FILE : null;
  if ("untyped" in p)
    return `set "allowJs": true in tsconfig.json, or declare its types in ${bare(p.declarations)}`;
  if ("declared" in p && p.declared === "object" && p.produces === "object")
    return `${bare(p.produces)} of TypeScript may be a list or a function: let the agent declare a mapping, such as Record<string, unknown>`;
  if ("declared" in p) return "correct the type behind the colon, or use an agent that writes it";
  if ("gives" in p) return "name the entry that it gives, as in entry=field, or add the entry to its result";
  if ("maybeUnset" in p) return "write the field on every way to the node, or let the agent do without it";
  if ("exact" in p)
    return `let the agent declare undefined as well, as in ${bare(p.exact)}?: ${bare(p.takes)} | undefined: exactOptionalPropertyTypes asks for it`;
  if ("notGiven" in p) return "add it to input_fields, as in input=field, or make it optional in the agent";
  return "change one of the two types, or convert the value in a node between them";
}

/** Ways and fields of a graph, and its agents. */
export const ofGraph = {
  "type-mismatch": error<TypeClash>((p) => {
    if ("says" in p) return bare(p.says, 400);
    if ("untyped" in p)
      return `TypeScript finds no types for ${bare(p.untyped)}: this project does not let it read JavaScript`;
    if ("gives" in p || "takes" in p) return agentClashText(p);
    if ("writer" in p)
      return `${quote(p.field)} is written as ${bare(p.written)} by ${quote(p.writer)}, read as ${bare(p.read)} by ${quote(p.reader)}`;
    if ("declared" in p)
      return `${quote(p.field)} is declared as ${bare(p.declared)}, but agent ${quote(p.agent)} of ${quote(p.node)} writes ${bare(p.produces)}`;
    if ("summed" in p)
      return `${quote(p.field)} is summed up where the branches meet, but ${quote(p.node)} writes ${bare(p.summed)}`;
    return `${quote(p.field)} is read as ${bare(p.first)} by ${quote(p.firstReader)}, and as ${bare(p.second)} by ${quote(p.secondReader)}`;
  }, clashHelp),
  "write-conflict": error<{ field: string; first: string; second: string; split: string }>(
    (p) =>
      `${quote(p.first)} and ${quote(p.second)} both write ${quote(p.field)}, in branches that run at the same time`,
    (p) =>
      `write two fields, or put {"merge": {${quote(p.field)}: "append"}} (or "last", "sum") into the context of ${quote(p.split)}`,
  ),
  "ambiguous-meeting": error<{ node: string; first: string; second: string }>(
    (p) =>
      `the branches of ${quote(p.node)} may meet at ${quote(p.first)} or at ${quote(p.second)}, which lead to each other`,
    () => "lead all branches to one node, and start the loop there",
  ),
  "endless-cycle": error<{ nodes: readonly string[]; split: string | null }>(
    (p) => {
      if (p.split !== null)
        return `${quote(p.split)} goes several ways at once, and one of them always comes back: the run could never end`;
      return p.nodes.length === 1
        ? `${quote(p.nodes[0] ?? "")} leads only to itself: the run could never end`
        : `${list(p.nodes)} lead only to each other: the run could never end`;
    },
    (p) =>
      p.split !== null
        ? "END ends only its own branch: let a branching or switch node choose between the ways"
        : 'give the loop a way out: a branching node, an END, or the settings {"max_visits": 5, "on_limit": "END"}',
  ),
  "cannot-succeed": error<Lacking>(
    (p) => `agent ${quote(p.agent)} cannot succeed: ${NEEDS[p.need].why}`,
    lackingHelp,
  ),
  "unknown-agent": error<MissingAgent>((p) => `there is no agent ${quote(p.type)}`, missingAgentHelp),
};
