import type { Fix } from "../../diagnostics/diagnostic.js";
import { createSuggester, foldName } from "../../diagnostics/suggest.js";
import type { CellSpan, InputItem, PromptIR, PromptItem, PromptPart } from "../../ir.js";
import { isRunValue } from "../../types/run-values.js";
import { type Draft, type DraftNode, isFull, reportAt, writeFix } from "../draft.js";
import { reachableFrom } from "../flow/digraph.js";
import type { Ways } from "../flow/edges.js";
import { addInput } from "./field-fix.js";
import { createNearby } from "./nearby.js";

/** The nodes that a run can reach after a failure: there `{error}` is available. */
export function findAfterFailure({ flows, taken }: Ways): Uint8Array {
  const handlers = flows
    .filter(({ error, column, to }) => to >= 0 && (error || column === "failure"))
    .map(({ to }) => to);
  return reachableFrom(taken, handlers);
}

/** A prompt with every placeholder resolved to an input, by parameter or else by field name. */
export function resolvePrompt(node: DraftNode): PromptIR | null {
  if (node.prompt === null) return null;
  const meaning = createMeaning(node.row.inputs);
  return node.prompt.parts.map((part) => {
    if (part.kind === "text") return part.text;
    const [head = "", ...rest] = part.path;
    const param = meaning(head) ?? head;
    return param === head ? part.path : [param, ...rest];
  });
}

export function namedInputs({ prompt, row }: DraftNode): ReadonlySet<string> {
  const meaning = createMeaning(row.inputs);
  const params = (prompt?.parts ?? []).map((part) =>
    part.kind === "text" ? undefined : meaning(part.path[0] as string),
  );
  return new Set(params.filter((param) => param !== undefined));
}

export function namesInput({ prompt, row }: DraftNode): boolean {
  const meaning = createMeaning(row.inputs);
  return prompt?.parts.some((part) => part.kind === "field" && meaning(part.path[0] as string)) ?? false;
}

/** True when the prompt uses `{error}` and no input has that name. */
export function usesError({ prompt, row }: DraftNode): boolean {
  if (prompt === null || row.inputs.some(({ param, field }) => param === "error" || field === "error"))
    return false;
  return prompt.parts.some((part) => part.kind === "field" && part.path[0] === "error");
}

/** Up to this many inputs a plain loop is cheaper than a map. */
const FEW = 8;

/** Maps the first name of a placeholder to a parameter. Parameters have priority over fields. */
function createMeaning(inputs: readonly InputItem[]): (head: string) => string | undefined {
  if (inputs.length <= FEW)
    return (head) =>
      inputs.some(({ param }) => param === head) ? head : inputs.find(({ field }) => field === head)?.param;
  const heads = placeholderHeads(inputs);
  return (head) => heads.get(head);
}

function placeholderHeads(inputs: readonly InputItem[]): ReadonlyMap<string, string> {
  const heads = new Map(inputs.map(({ param }) => [param, param]));
  for (const { field, param } of inputs) if (!heads.has(field)) heads.set(field, param);
  return heads;
}

type Placeholder = Extract<PromptPart, { kind: "field" }>;

/**
 * Reports placeholders that name no input, and text that looks like a placeholder; says whether there are any.
 * Linear in the prompt.
 */
export function checkPrompt(draft: Draft, node: DraftNode, afterFailure: boolean): boolean {
  const { prompt } = node;
  if (prompt === null) return false;
  const { inputs } = node.row;
  const meaning = createMeaning(inputs);
  const unknown = prompt.parts.filter(
    (part): part is Placeholder =>
      part.kind === "field" &&
      meaning(part.path[0] as string) === undefined &&
      !(afterFailure && part.path[0] === "error"),
  );
  const braces = scanBraces(prompt);
  const { groups, lone } = braces;
  if (unknown.length + groups.length + lone.length === 0) return false;
  const heads = [...placeholderHeads(inputs).keys()];
  const suggest = createSuggester(heads);
  for (const part of unknown) {
    if (isFull(draft.analysis, "unknown-placeholder", prompt.at)) break;
    const [head = ""] = part.path;
    const params = { placeholder: part.path.join("."), inputs: heads, suggestion: suggest(head) };
    const fix = placeholderFix(draft, node, part, heads, params.suggestion);
    const span = promptSpan(prompt, part);
    reportAt(draft, node, "unknown-placeholder", params, { span, column: "prompt", fix });
  }
  const slips = findAlmost(prompt.text, braces, heads);
  for (const almost of slips) {
    if (isFull(draft.analysis, "almost-placeholder", prompt.at)) break;
    const params = { text: almost.text, suggestion: `{${almost.name}}` };
    const span = promptSpan(prompt, almost);
    const fix = prompt.reference === null ? writeFix(draft, span, params.suggestion, false) : null;
    reportAt(draft, node, "almost-placeholder", params, { span, column: "prompt", fix });
  }
  return unknown.length + slips.length > 0;
}

const MOST_COMPARED = 200;

/** The fix corrects the spelling of an input, or adds a field of this graph to the inputs. */
function placeholderFix(
  draft: Draft,
  node: DraftNode,
  part: Placeholder,
  inputs: readonly string[],
  suggestion: string | null,
): Fix | null {
  const { row, prompt } = node;
  const [head = "", ...rest] = part.path;
  if (suggestion !== null) {
    if (prompt === null || prompt.reference !== null) return null;
    const folded = foldName(head);
    // With very many inputs the search for a second similar one would take too long.
    const others = inputs.length > MOST_COMPARED ? inputs : inputs.filter((one) => foldName(one) === folded);
    const safe = others.length === 1 && others[0] === suggestion;
    return writeFix(draft, promptSpan(prompt, part), `{${[suggestion, ...rest].join(".")}}`, safe);
  }
  if (!isRunValue(head) && !draft.fieldNames().has(head)) return null;
  return addInput(draft, row, head, !worksOnInputs(node));
}

/** An additional input for the prompt would change the result of agents that use every input. */
function worksOnInputs({ facts, row, settings }: DraftNode): boolean {
  const type = facts?.type ?? "";
  // The first input decides.
  if (type === "branching" || type === "switch") return row.inputs.length === 0;
  if (type.endsWith("_writer")) return settings["value"] === undefined;
  return type === "graph" || type === "summary" || type === "orchestrator";
}

/** A problem in a prompt from a file is shown at the cell that names the file. */
function promptSpan(
  prompt: PromptItem,
  { start, end }: { readonly start: number; readonly end: number },
): CellSpan {
  return prompt.reference === null ? { ...prompt.at, start, end } : prompt.at;
}

interface Almost {
  readonly text: string;
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Longer text between braces is meant as text, not as a placeholder. */
const LONGEST = 130;

/** Finds braces around a misspelt input, and an input with one brace missing. Linear. */
function findAlmost(text: string, { groups, lone }: Braces, heads: readonly string[]): readonly Almost[] {
  const found: Almost[] = [];
  const names = new Set(heads);
  const nearby = createNearby(heads);
  for (const { start, end, inner } of groups) {
    const name = inner === null ? null : nearby(inner);
    if (name !== null) found.push({ text: text.slice(start, end), name, start, end });
  }
  for (const { at, opens } of lone) {
    const beside = opens ? text.slice(at + 1, at + 1 + LONGEST) : text.slice(Math.max(0, at - LONGEST), at);
    const [whole = "", name = ""] = (opens ? WORD_AFTER : WORD_BEFORE).exec(beside) ?? [];
    if (!names.has(name)) continue;
    const start = opens ? at : at - whole.length;
    const end = start + 1 + whole.length;
    found.push({ text: text.slice(start, end), name, start, end });
  }
  return found.sort((a, b) => a.start - b.start);
}

const WORD_AFTER = /^ *([\p{L}\p{N}_-]+)/u;
const WORD_BEFORE = /([\p{L}\p{N}_-]+) *$/u;

interface Braces {
  readonly groups: readonly { readonly start: number; readonly end: number; readonly inner: string | null }[];
  readonly lone: readonly { readonly at: number; readonly opens: boolean }[];
}

/** Pairs the braces of the plain text with a stack. Linear. */
function scanBraces({ text, parts }: PromptItem): Braces {
  const groups: Braces["groups"][number][] = [];
  const lone: Braces["lone"][number][] = [];
  const open: number[] = [];
  for (const part of parts) {
    if (part.kind === "field") continue;
    for (let at = nextBrace(text, part.start); at < part.end; at = nextBrace(text, at + 1)) {
      if (text[at] === "{") {
        open.push(at);
        continue;
      }
      const start = open.pop();
      if (start === undefined) lone.push({ at, opens: false });
      else groups.push({ start, end: at + 1, inner: innerText(text, start, at) });
    }
  }
  for (const at of open) lone.push({ at, opens: true });
  return { groups, lone };
}

function nextBrace(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 123 || c === 125) return i;
  }
  return text.length;
}

/** Null for text that cannot be a name, such as that of `{{…}}`, which stands for itself. */
function innerText(text: string, start: number, end: number): string | null {
  if (end - start > LONGEST || (text[start - 1] === "{" && text[end + 1] === "}")) return null;
  return text.slice(start + 1, end).trim();
}
