import { basename, extname } from "node:path";
import { customType } from "../registry.js";
import type { FoundAgent } from "./find.js";
import { codeOf } from "./source-text.js";

export const NAME = String.raw`[A-Za-z_$\x80-\uffff][\w$\x80-\uffff]*`;
/** The start of a statement. Bundlers put several on a line. */
const START = String.raw`(?:^|[;}])[ \t]*`;

/** The start of `extends`. Subclasses of errors are no agents. */
const EXTENDS = String.raw`\bextends[ \t\r\n](?![ \t\r\n]*(?:${NAME}\.)*[\w$]*(?:Error|Exception)(?![\w$]))`;
/** A class with `extends`, with or without `export`. */
const CLASS = new RegExp(
  String.raw`${START}(export[ \t]+)?(default[ \t]+)?class(?:[ \t]+(?!extends\b)(${NAME}))?[^{;]{0,300}?${EXTENDS}`,
  "gm",
);
/** A constant with an optional type, up to its value. The arrow of a function type is no assignment. */
const CONSTANT = String.raw`${START}(export[ \t]+)?(?:const|let|var)[ \t]+(${NAME})[ \t]*(?::(?:[^=\n]|=>){0,300})?=(?![=>])[ \t\r\n]*`;
const CLASS_VALUE = new RegExp(String.raw`${CONSTANT}class\b[^{;]{0,300}?${EXTENDS}`, "gm");
/** Values that built-in functions make of data are no agents. */
const DATA = String.raw`(?:Object\.\w+[ \t]*\([ \t\r\n]*[{[]|(?:Array|BigInt|Boolean|Date|JSON|Math|Number|RegExp|String|Symbol|parseFloat|parseInt|require)[.(])`;
/** A value that may be an agent: the result of a call, or another name. */
const CALL_VALUE = new RegExp(
  String.raw`${CONSTANT}(?!${DATA}|(?:async|await|function|new|typeof|class)\b)${NAME}(?:\.${NAME})*[ \t]*[(<;\r\n]`,
  "gm",
);
const DEFAULT_NAME = new RegExp(String.raw`${START}export[ \t]+default[ \t]+(${NAME})[ \t]*(?:;|\r?$)`, "gm");
const LIST = new RegExp(String.raw`${START}export[ \t\r\n]*\{([^}]{0,20000})\}`, "gm");
const IMPORT = /\bimport[ \t\r\n]*\{([^{}]{0,2000})\}[ \t\r\n]*from\b/g;

/** The agents that the text of a module exports, and exports that may be agents. */
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
