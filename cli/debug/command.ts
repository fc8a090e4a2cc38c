import { suggest } from "../../compiler/diagnostics/suggest.js";
import type { Json } from "../../compiler/ir.js";
import { canBeSet } from "../../runtime/debug/views.js";

export type Command =
  | { readonly kind: "next" | "continue" | "where" | "quit" | "help" | "nothing" }
  | { readonly kind: "state"; readonly field: string | null }
  | { readonly kind: "set"; readonly field: string; readonly value: Json }
  | { readonly kind: "break" | "clear"; readonly node: string | null }
  | { readonly kind: "answer"; readonly text: string }
  | { readonly kind: "problem"; readonly message: string };

type Reader = (rest: string) => Command;

const READERS: { readonly [word: string]: Reader } = {
  next: plain("next"),
  continue: plain("continue"),
  state: (rest) => ({ kind: "state", field: rest === "" ? null : rest }),
  set: readSet,
  answer: (text) => ({ kind: "answer", text }),
  break: (rest) => ({ kind: "break", node: rest === "" ? null : rest }),
  clear: (rest) => ({ kind: "clear", node: rest === "" ? null : rest }),
  where: plain("where"),
  help: plain("help"),
  quit: plain("quit"),
};
const NAMES = Object.keys(READERS);

export const COMMANDS_HELP: readonly (readonly [command: string, meaning: string])[] = [
  ["next, n", "visit this node, and stop before the next one"],
  ["continue, c", "go on to the next break, or to the end"],
  ["state, s [field]", "all fields, with what changed last; or one field in full"],
  ["set field=json", "change a field of the line that is stopped"],
  ["answer, a value", "answer the node that waits: JSON, or text as it is"],
  ["break, b [node]", "stop there on `continue`; the list of breaks without a node"],
  ["clear [node]", "take a break away; all of them without a node"],
  ["where, w", "the node, its graph, its branch, and the path so far"],
  ["quit, q", "end the debugger; the run goes no further"],
  ["(an empty line)", "the last `next` or `continue` again"],
];

/** Understands a line. An empty one repeats `again`. */
export function parseCommand(line: string, again: "next" | "continue"): Command {
  const text = line.trim();
  if (text === "") return { kind: again };
  if (text.startsWith("#")) return { kind: "nothing" };
  const [word = "", rest = ""] = split(text);
  // A letter stands for the first command that begins with it.
  const name = NAMES.find((one) => word.length === 1 && one.startsWith(word)) ?? word;
  const reader = Object.hasOwn(READERS, name) ? READERS[name] : undefined;
  if (reader !== undefined) return reader(rest);
  const near = suggest(name, NAMES);
  const help = near === null ? '"help" lists the commands' : `did you mean ${JSON.stringify(near)}?`;
  return problem(`there is no command ${JSON.stringify(word)}; ${help}`);
}

function split(text: string): readonly [word: string, rest: string] {
  const at = text.search(/\s/);
  return at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at).trim()];
}

function plain(kind: "next" | "continue" | "where" | "quit" | "help"): Reader {
  return (rest) =>
    rest === "" ? { kind } : problem(`"${kind}" takes nothing behind it, not ${JSON.stringify(rest)}`);
}

function readSet(rest: string): Command {
  const at = rest.indexOf("=");
  const field = rest.slice(0, Math.max(0, at)).trim();
  if (field === "") return problem('"set" takes field=json, such as: set name="Ada"');
  if (!canBeSet(field)) return problem(`${JSON.stringify(field)} cannot be the name of a field`);
  const json = rest.slice(at + 1).trim();
  try {
    return { kind: "set", field, value: JSON.parse(json) as Json };
  } catch {
    const quoted = `set ${field}=${JSON.stringify(json)}`;
    return problem(`${JSON.stringify(json)} is no JSON; text stands in quotes: ${quoted}`);
  }
}

const problem = (message: string): Command => ({ kind: "problem", message });
