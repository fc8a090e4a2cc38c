import type { NodeIR, PromptIR, ReadIR } from "../ir.js";
import { typeText } from "./field-type.js";
import { angles, braces, type Doc, union } from "./layout.js";
import { isPlainName, propertyKey, propertyRead, stringLiteral } from "./literals.js";
import { longTemplate } from "./long-text.js";
import { isWord, type Scope } from "./scope.js";
import { unsetCopies } from "./unset-copies.js";

/** What a node takes out of the state: `inputs: ({ a }: Reads<State, "a">) => ({ a })`. */
export function emitInputs({ reads }: NodeIR, state: string, scope: Scope): Doc {
  if (reads.length === 0) return "inputs: () => ({})";
  const fields = distinct(reads.map(({ field }) => field));
  const hasPaths = reads.some(({ path }) => path.length > 0);
  const unpacked = canUnpack(fields, hasPaths ? ["at"] : []);
  const entries = reads.map((read) => {
    const value = unpacked ? read.field : propertyRead("state", read.field);
    const got = read.path.length === 0 ? value : pathRead(value, read, scope);
    return got === read.param ? got : `${propertyKey(read.param)}: ${got}`;
  });
  const from: Doc = unpacked ? braces(fields) : "state";
  return ["inputs: (", from, ": ", readsType(reads, state, scope), ") => (", braces(entries), ")"];
}

/** Names that can be variables, and that hide nothing which is called. */
const canUnpack = (names: readonly string[], called: readonly string[]): boolean =>
  names.every((name) => isPlainName(name) && !isWord(name) && !called.includes(name));

const distinct = (names: readonly string[]): readonly string[] => [...new Set(names)];

function readsType(reads: readonly ReadIR[], state: string, scope: Scope): Doc {
  const names = (sure: boolean): Doc =>
    union(
      distinct(reads.filter((read) => isSure(read, scope) === sure).map(({ field }) => stringLiteral(field))),
    );
  const isMaybe = reads.some((read) => !isSure(read, scope));
  return [scope.use("Reads"), angles([state, names(true), ...(isMaybe ? [names(false)] : [])])];
}

/** A `?` in the sheet says that a field may be unset, whatever the ways there say. */
export const isSure = ({ field, sure, optional, path }: ReadIR, { graph }: Scope): boolean =>
  sure && (!optional || path.length > 0) && !unsetCopies(graph).has(field);

/** A value inside a field. What the sheet says of its type is taken for granted. */
function pathRead(value: string, { path, type, optional }: ReadIR, scope: Scope): string {
  const typed =
    type === null || type.kind === "any" ? "" : `<${typeText(type)}${optional ? " | undefined" : ""}>`;
  return `${scope.call("at")}${typed}(${[value, ...path.map(stringLiteral)].join(", ")})`;
}

/** A node's prompt: a function of its inputs, and of the state where the prompt tells the error. */
export function emitPrompt({ reads }: NodeIR, prompt: PromptIR, scope: Scope): Doc {
  const params = new Set(reads.map(({ param }) => param));
  const heads = prompt.flatMap((part) => (typeof part === "string" ? [] : (part[0] ?? [])));
  const fromInputs = distinct(heads.filter((head) => params.has(head)));
  const fromState = distinct(heads.filter((head) => !params.has(head)));
  const unpacked = canUnpack([...fromInputs, ...fromState], ["text", "at"]);
  const parts = prompt.map((part) => {
    if (typeof part === "string") return { text: part };
    const [head = "", ...path] = part;
    const from = params.has(head) ? "inputs" : "state";
    const value = unpacked ? head : propertyRead(from, head);
    return { read: `${scope.call("text")}(${path.length === 0 ? value : inner(value, path, scope)})` };
  });
  const inputs: Doc = unpacked && fromInputs.length > 0 ? braces(fromInputs) : "inputs";
  const state: Doc = unpacked ? braces(fromState) : "state";
  const parameters: Doc =
    fromState.length > 0
      ? ["(", fromInputs.length > 0 ? inputs : "_", ", ", state, ")"]
      : ["(", ...(fromInputs.length > 0 ? [inputs] : []), ")"];
  const [only] = parts;
  const body =
    only !== undefined && parts.length === 1 && "read" in only ? ` ${only.read}` : longTemplate(parts);
  return ["prompt: ", parameters, " =>", body];
}

const inner = (value: string, path: readonly string[], scope: Scope): string =>
  `${scope.call("at")}(${[value, ...path.map(stringLiteral)].join(", ")})`;
