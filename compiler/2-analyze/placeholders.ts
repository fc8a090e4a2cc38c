import { createSuggester } from "../diagnostics/suggest.js";
import type { CellSpan, PromptIR, PromptItem } from "../ir.js";
import { reachableFrom } from "./digraph.js";
import { type Draft, type DraftNode, reportAt } from "./draft.js";
import type { Flow } from "./edges.js";
import { edgeGraph } from "./edges.js";
import { createNearby } from "./nearby.js";

/** The nodes that some failure may come before: `{error}` is always available there. Linear. */
export function findAfterFailure(size: number, flows: readonly Flow[]): Uint8Array {
  const handlers = flows
    .filter(({ error, column, to }) => to >= 0 && (error || column === "failure"))
    .map(({ to }) => to);
  return reachableFrom(edgeGraph(size, flows), handlers);
}

/** A prompt with every placeholder resolved to an input, by parameter or else by field name. */
export function resolvePrompt(node: DraftNode): PromptIR | null {
  if (node.prompt === null) return null;
  const heads = placeholderHeads(node);
  return node.prompt.parts.map((part) => {
    if (part.kind === "text") return part.text;
    const [head = "", ...rest] = part.path;
    return [heads.get(head) ?? head, ...rest];
  });
}

/** True when the prompt uses `{error}` and no input has that name. */
export function usesError({ prompt, row }: DraftNode): boolean {
  if (prompt === null || row.inputs.some(({ param, field }) => param === "error" || field === "error"))
    return false;
  return prompt.parts.some((part) => part.kind === "field" && part.path[0] === "error");
}

/** What a placeholder may begin with, and the parameter it means: a field's name where no parameter has it. */
function placeholderHeads({ row }: DraftNode): ReadonlyMap<string, string> {
  const heads = new Map(row.inputs.map(({ param }) => [param, param]));
  for (const { field, param } of row.inputs) if (!heads.has(field)) heads.set(field, param);
  return heads;
}

/** Reports placeholders that name no input, and text that looks like a placeholder. Linear in the prompt. */
export function checkPrompt(draft: Draft, node: DraftNode, afterFailure: boolean): void {
  const { prompt } = node;
  if (prompt === null) return;
  const heads = [...placeholderHeads(node).keys()];
  const known = new Set(heads);
  const suggest = createSuggester(heads);
  for (const part of prompt.parts) {
    if (part.kind === "text") continue;
    const [head = ""] = part.path;
    if (known.has(head) || (head === "error" && afterFailure)) continue;
    const params = { placeholder: part.path.join("."), inputs: heads, suggestion: suggest(head) };
    reportAt(draft, node, "unknown-placeholder", params, {
      span: promptSpan(prompt, part),
      column: "prompt",
    });
  }
  for (const almost of findAlmost(prompt, heads)) {
    const params = { text: almost.text, suggestion: `{${almost.name}}` };
    reportAt(draft, node, "almost-placeholder", params, {
      span: promptSpan(prompt, almost),
      column: "prompt",
    });
  }
}

/** A stretch of the prompt; a prompt from a file has its place in the cell that names the file. */
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

/** Longer text between braces is no slip of the pen. */
const LONGEST = 130;

/** Braces around text one edit from an input, and an input with one of its braces missing. One pass over the text. */
function findAlmost(prompt: PromptItem, heads: readonly string[]): readonly Almost[] {
  if (heads.length === 0) return [];
  const found: Almost[] = [];
  const names = new Set(heads);
  const nearby = createNearby(heads);
  for (const { start, end, inner } of braceGroups(prompt)) {
    if (inner === null) continue;
    const name = nearby(inner);
    if (name !== null && inner !== name)
      found.push({ text: prompt.text.slice(start, end), name, start, end });
  }
  for (const lone of loneBraces(prompt)) {
    const name = lone.opens ? nameAfter(prompt.text, lone.at + 1) : nameBefore(prompt.text, lone.at);
    if (name === null || !names.has(name.text)) continue;
    const start = lone.opens ? lone.at : name.start;
    const end = lone.opens ? name.end : lone.at + 1;
    found.push({ text: prompt.text.slice(start, end), name: name.text, start, end });
  }
  return found.sort((a, b) => a.start - b.start);
}

interface Group {
  readonly start: number;
  readonly end: number;
  readonly inner: string | null;
}

interface Lone {
  readonly at: number;
  readonly opens: boolean;
}

interface Braces {
  readonly groups: readonly Group[];
  readonly lone: readonly Lone[];
}

const scanned = new WeakMap<PromptItem, Braces>();

const braceGroups = (prompt: PromptItem): readonly Group[] => scanBraces(prompt).groups;
const loneBraces = (prompt: PromptItem): readonly Lone[] => scanBraces(prompt).lone;

/** Pairs the braces of the plain text; placeholders stand apart and escapes pair with themselves. Linear. */
function scanBraces(prompt: PromptItem): Braces {
  const done = scanned.get(prompt);
  if (done !== undefined) return done;
  const groups: Group[] = [];
  const lone: Lone[] = [];
  const open: number[] = [];
  for (const part of prompt.parts) {
    if (part.kind === "field") continue;
    for (let i = nextBrace(prompt.text, part.start); i < part.end; i = nextBrace(prompt.text, i + 1)) {
      if (prompt.text[i] === "{") {
        open.push(i);
        continue;
      }
      const start = open.pop();
      if (start === undefined) lone.push({ at: i, opens: false });
      else groups.push({ start, end: i + 1, inner: innerText(prompt.text, start, i) });
    }
  }
  for (const at of open) lone.push({ at, opens: true });
  const braces = { groups, lone };
  scanned.set(prompt, braces);
  return braces;
}

function nextBrace(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 123 || c === 125) return i;
  }
  return text.length;
}

/** Text between braces that could be a name; not inside `{{…}}`, which asks for the text itself. */
function innerText(text: string, start: number, end: number): string | null {
  if (end - start > LONGEST || (text[start - 1] === "{" && text[end + 1] === "}")) return null;
  return text.slice(start + 1, end).trim();
}

const isWord = (character: string | undefined): boolean => /[\p{L}\p{N}_-]/u.test(character ?? "");

/** The word right after a brace, and whether it ends there. */
function nameAfter(
  text: string,
  from: number,
): { readonly text: string; readonly start: number; readonly end: number } | null {
  let start = from;
  while (start - from < LONGEST && text[start] === " ") start++;
  let end = start;
  while (end - start < LONGEST && isWord(text[end])) end++;
  return end === start ? null : { text: text.slice(start, end), start, end };
}

function nameBefore(
  text: string,
  to: number,
): { readonly text: string; readonly start: number; readonly end: number } | null {
  let end = to;
  while (to - end < LONGEST && text[end - 1] === " ") end--;
  let start = end;
  while (end - start < LONGEST && isWord(text[start - 1])) start--;
  return end === start ? null : { text: text.slice(start, end), start, end };
}
