import { type Draft, type DraftNode, reportAt } from "../draft.js";

/** Without it, each visit of the agent would throw. */
export type Need = "targets" | "inputs" | "message" | "file" | "value" | "address" | "text" | "statement";

/** The missing need, by agent; null when all is there. */
const needs: { readonly [type: string]: (node: DraftNode) => Need | null } = {
  branching: ({ row, settings }) =>
    row.inputs.length > 0 || DECIDING.some((name) => settings[name] !== undefined) ? null : "inputs",
  switch: (node) => {
    if (node.settings["default"] !== undefined) return null;
    if (listed(node) === 0 && node.settings["cases"] === undefined) return "targets";
    return node.row.inputs.length === 0 ? "inputs" : null;
  },
  orchestrator: (node) => {
    if (choosesFromNothing(node)) return "targets";
    if (node.settings["default_target"] !== undefined || node.row.inputs.length > 0) return null;
    return node.settings["strategy"] === "llm" && node.row.prompt !== null ? null : "inputs";
  },
  mail: ({ row }) => (row.prompt === null ? "text" : null),
  notify: ({ row }) => (row.prompt === null ? "text" : null),
  list: ({ row }) => (row.inputs.length === 0 ? "inputs" : null),
  sql: ({ row }) => (row.prompt === null ? "statement" : null),
  http: ({ settings }) => (settings["url"] === undefined ? "address" : null),
  llm: messageNeed,
  openai: messageNeed,
  anthropic: messageNeed,
  google: messageNeed,
  json_reader: fileNeed,
  csv_reader: fileNeed,
  file_reader: fileNeed,
  json_writer: writerNeed,
  csv_writer: writerNeed,
  file_writer: (node) =>
    node.row.prompt !== null && node.settings["collection"] !== undefined ? fileNeed(node) : writerNeed(node),
};

/** Settings that decide without an input, or that are reported because they name one that is not there. */
const DECIDING = ["default_result", "if", "when", "success_field"];

function messageNeed({ row }: DraftNode): Need | null {
  return row.prompt === null && row.inputs.length === 0 ? "message" : null;
}

function fileNeed({ row, settings }: DraftNode): Need | null {
  const { collection } = settings;
  const isBlank = typeof collection === "string" && collection.trim() === "";
  return isBlank || (collection === undefined && row.prompt === null) ? "file" : null;
}

function writerNeed(node: DraftNode): Need | null {
  const isIdle =
    node.row.inputs.length === 0 &&
    node.settings["mode"] !== "delete" &&
    node.settings["value"] === undefined;
  return fileNeed(node) ?? (isIdle ? "value" : null);
}

/** The number of nodes that a choosing node lists. */
const listed = ({ row }: DraftNode): number => row.onSuccess.length + row.next.length;

/** An orchestrator that lists no node: those that it should choose from may stand anywhere in the graph. */
export function choosesFromNothing(node: DraftNode): boolean {
  return (
    node.facts?.type === "orchestrator" &&
    !node.row.damaged &&
    listed(node) === 0 &&
    node.settings["default_target"] === undefined
  );
}

/** Reports a node whose agent would throw at every visit. */
export function checkNeeds(draft: Draft, node: DraftNode, reachable: Uint8Array): void {
  const { facts, row } = node;
  if (facts === null || row.damaged || !Object.hasOwn(needs, facts.type)) return;
  const need = needs[facts.type]?.(node) ?? null;
  if (need === null) return;
  const unreached = need === "targets" ? draft.nodes.filter(({ index }) => reachable[index] === 0) : [];
  const params = {
    type: facts.type,
    agent: node.agent.written,
    need,
    nodes: unreached.map((other) => other.row.node.name),
  };
  reportAt(draft, node, "cannot-succeed", params, { span: row.agent.at, column: "agent_type" });
}
