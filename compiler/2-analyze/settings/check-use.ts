import { type CellPart, editCellParts } from "../../1-parse/text/edit-cell.js";
import type { Fix } from "../../diagnostics/diagnostic.js";
import type { InputItem, PromptItem } from "../../ir.js";
import { type Draft, type DraftNode, reportAt, wholeCell } from "../draft.js";
import { mentionsIn } from "../fields/input-names.js";
import { namesInput } from "../fields/placeholders.js";

/** The use that an agent makes of its prompt; `question` is one to a person. */
type Making = "text" | "end" | "message" | "question";

/** The agents that know of their inputs only what their prompts say. */
const makings: { readonly [type: string]: Making } = {
  default: "text",
  echo: "text",
  success: "end",
  failure: "end",
  human: "question",
  notify: "message",
  llm: "message",
  openai: "message",
  anthropic: "message",
  google: "message",
};

/** Warns of inputs that never come to their agent, since its prompt names none of them. Linear in the prompt. */
export function checkInputUse(draft: Draft, node: DraftNode): void {
  const { facts, row, prompt } = node;
  const [first] = row.inputs;
  const type = facts?.type ?? "";
  const making = Object.hasOwn(makings, type) ? makings[type] : undefined;
  if (facts === null || first === undefined || making === undefined || row.damaged) return;
  // Nobody knows which column the cells of a long row belong to.
  if (row.long !== null) return;
  // A prompt from a file is not always looked up.
  if (prompt === null && row.prompt !== null) return;
  // Without a prompt an echo gives its inputs, and a model is sent them.
  if (prompt === null && (making === "text" || making === "message")) return;
  if (namesInput(node) || row.settings.some((item) => mentionsIn(facts, item).length > 0)) return;
  const escaped = escapedIn(prompt?.text ?? "", row.inputs);
  const isEscaped = escaped.length > 0;
  const inputs = row.inputs.map(({ param }) => param);
  const params = { agent: node.agent.written || type, making, inputs, isEscaped, hasPrompt: prompt !== null };
  const span = wholeCell(row.inputs, first.at);
  const fix = prompt === null || !isEscaped ? null : bracesFix(draft, prompt, escaped);
  reportAt(draft, node, "unused-input", params, { span, column: "input_fields", fix });
}

/** The inputs that stand between double braces, which make text of them. */
function escapedIn(text: string, inputs: readonly InputItem[]): readonly CellPart[] {
  const names = new Set(inputs.map(({ param }) => param));
  return [...text.matchAll(/(?<!\{)\{\{([\p{L}\p{N}_-]+)\}\}(?!\})/gu)].flatMap(
    ({ index: start, 0: found, 1: name = "" }) =>
      names.has(name) ? [{ start, end: start + found.length, text: `{${name}}` }] : [],
  );
}

/** The cure that writes single braces, for a prompt that stands in its cell. */
function bracesFix(
  { analysis: { sheet } }: Draft,
  prompt: PromptItem,
  parts: readonly CellPart[],
): Fix | null {
  if (prompt.reference !== null) return null;
  const title = `write ${parts.map(({ text }) => text).join(" and ")}`;
  return { title, safe: false, edits: editCellParts(sheet, prompt.at, parts) };
}

/** Warns of a prompt that its agent never looks at. */
export function checkPromptUse(draft: Draft, node: DraftNode): void {
  const { facts, row } = node;
  if (facts === null || row.prompt === null || row.damaged || row.long !== null || usesPrompt(node)) return;
  const at = { span: row.prompt.at, column: "prompt" } as const;
  const params = { type: facts.type, agent: node.agent.written };
  reportAt(draft, node, "unused-prompt", params, at);
}

/** The methods of calls that have a body only when a setting says so. */
const BODILESS: ReadonlySet<unknown> = new Set(["GET", "HEAD", "DELETE"]);

const never = (): boolean => false;
const namesFile = ({ collection }: DraftNode["settings"]): boolean => collection === undefined;

/** By agent, whether its prompt is used; other agents always use it. */
const uses: { readonly [type: string]: (settings: DraftNode["settings"]) => boolean } = {
  branching: never,
  switch: never,
  graph: never,
  list: never,
  wait: never,
  summary: ({ llm = false }) => llm !== false,
  orchestrator: ({ strategy }) => strategy === "llm",
  http: ({ method = "GET", body }) =>
    body === undefined ? !BODILESS.has(method) : body === "json" || body === "text",
  json_reader: namesFile,
  csv_reader: namesFile,
  file_reader: namesFile,
  json_writer: namesFile,
  csv_writer: namesFile,
  file_writer: (settings) => namesFile(settings) || settings["mode"] !== "delete",
};

const usesPrompt = ({ facts, settings }: DraftNode): boolean =>
  !Object.hasOwn(uses, facts?.type ?? "") || uses[facts?.type ?? ""]?.(settings) === true;
