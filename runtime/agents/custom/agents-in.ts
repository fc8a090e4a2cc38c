import { basename, extname } from "node:path";
import { customType } from "../builtins.js";
import type { FoundAgent } from "./find.js";
import { codeOf } from "./source-text.js";

/** A name of the language, for patterns. */
export const NAME = String.raw`[A-Za-z_$\x80-\uffff][\w$\x80-\uffff]*`;
/** Where a statement begins: bundlers put several on a line. */
const START = String.raw`(?:^|[;}])[ \t]*`;

/** Where a class begins to extend another one. What is thrown is no agent. */
const EXTENDS = String.raw`\bextends[ \t\r\n](?![ \t\r\n]*(?:${NAME}\.)*[\w$]*(?:Error|Exception)(?![\w$]))`;
/** A class that extends another one, with or without `export` before it. */
const CLASS = new RegExp(
  String.raw`${START}(export[ \t]+)?(default[ \t]+)?class(?:[ \t]+(?!extends\b)(${NAME}))?[^{;]{0,300}?${EXTENDS}`,
  "gm",
);
/** A constant, with its type if it has one, up to what it is. The arrow of a function's type is no assignment. */
const CONSTANT = String.raw`${START}(export[ \t]+)?(?:const|let|var)[ \t]+(${NAME})[ \t]*(?::(?:[^=\n]|=>){0,300})?=(?![=>])[ \t\r\n]*`;
const CLASS_VALUE = new RegExp(String.raw`${CONSTANT}class\b[^{;]{0,300}?${EXTENDS}`, "gm");
/** What the language itself makes of data is no agent. */
const DATA = String.raw`(?:Object\.\w+[ \t]*\([ \t\r\n]*[{[]|(?:Array|BigInt|Boolean|Date|JSON|Math|Number|RegExp|String|Symbol|parseFloat|parseInt|require)[.(])`;
/** What may be anything: what a function made, or another name for what is elsewhere. */
const CALL_VALUE = new RegExp(
  String.raw`${CONSTANT}(?!${DATA}|(?:async|await|function|new|typeof|class)\b)${NAME}(?:\.${NAME})*[ \t]*[(<;\r\n]`,
  "gm",
);
const DEFAULT_NAME = new RegExp(String.raw`${START}export[ \t]+default[ \t]+(${NAME})[ \t]*(?:;|\r?$)`, "gm");
const LIST = new RegExp(String.raw`${START}export[ \t\r\n]*\{([^}]{0,20000})\}`, "gm");
const IMPORT = /\bimport[ \t\r\n]*\{([^{}]{0,2000})\}[ \t\r\n]*from\b/g;

/** The agents that a module's text exports, and what may be one. */
export function agentsIn(source: string, file: string): readonly FoundAgent[] {
  const text = codeOf(source);
  const found = new Map<string, FoundAgent>();
  const add = (name: string, exported: string, isSure = true): void => {
    // A file may be called `next-row.agent.ts`.
    const type = customType(name.replaceAll(".", ""));
    if (type !== "" && (isSure || !found.has(type)))
      found.set(type, { type, name, file, export: exported, isSure });
  };
  const { made, defaultMade } = patterns(text);
  const declared = new Set<string>();
  for (const [, exported, isDefault, name] of text.matchAll(CLASS)) {
    if (name !== undefined) declared.add(name);
    if (isDefault !== undefined) add(name ?? nameOfFile(file), "default");
    else if (exported !== undefined && name !== undefined) add(name, name);
  }
  for (const pattern of [made, CLASS_VALUE])
    for (const [, exported, name = ""] of text.matchAll(pattern)) {
      declared.add(name);
      if (exported !== undefined) add(name, name);
    }
  if (defaultMade.test(text)) add(nameOfFile(file), "default");
  for (const [, name = ""] of text.matchAll(DEFAULT_NAME)) if (declared.has(name)) add(name, "default");
  const guessed = new Set<string>();
  for (const [, exported, name = ""] of text.matchAll(CALL_VALUE)) {
    guessed.add(name);
    if (exported !== undefined) add(name, name, false);
  }
  for (const [local, exported] of exportLists(text)) {
    const name = exported === "default" ? local : exported;
    if (declared.has(local)) add(name, exported);
    else if (guessed.has(local)) add(name, exported, false);
  }
  return [...found.values()];
}

/** `defineAgent` by each name that the module gives it. */
function patterns(text: string): { readonly made: RegExp; readonly defaultMade: RegExp } {
  const names = new Set(["defineAgent"]);
  for (const [, list = ""] of text.matchAll(IMPORT))
    for (const [name, local] of renamings(list)) if (name === "defineAgent") names.add(local);
  const plain = [...names].filter((name) => /^[\w$]+$/.test(name)).map((name) => name.replaceAll("$", "\\$"));
  const maker = String.raw`(?:${NAME}\.)?(?:${plain.join("|")})(?![\w$])`;
  return {
    made: new RegExp(CONSTANT + maker, "gm"),
    defaultMade: new RegExp(String.raw`${START}export[ \t]+default[ \t]+${maker}`, "m"),
  };
}

export const nameOfFile = (file: string): string => basename(file, extname(file));

/** The pairs of `export { local as exported }`. */
function* exportLists(text: string): Iterable<readonly [local: string, exported: string]> {
  for (const [, list = ""] of text.matchAll(LIST)) yield* renamings(list);
}

/** The pairs of a list such as `one, two as three`. */
function* renamings(list: string): Iterable<readonly [name: string, other: string]> {
  for (const item of list.split(",")) {
    const [name = "", other = name] = item.trim().split(/\s+as\s+/u);
    yield [name, other];
  }
}
