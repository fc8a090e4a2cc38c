import { readFileSync } from "node:fs";
import { basename, extname } from "node:path";
import { customType } from "../registry.js";
import { agentsIn, NAME, nameOfFile } from "./agents-in.js";
import { isLoaded, PYTHON, sourceFiles } from "./find.js";
import { codeOf } from "./source-text.js";

/** A file of the agents folder without an agent. */
export interface PassedOver {
  readonly file: string;
  /** The types of the agents that it may be meant to hold. */
  readonly types: ReadonlySet<string>;
  readonly what: string;
  readonly cure: string;
  /** It looks like an agent. Other files may well be no agents, such as helper functions. */
  readonly isLikeAgent: boolean;
}

/** Files of the agents folder that hold no agent, with the reason. No file is run. */
export function passedOver(folder: string): readonly PassedOver[] {
  return sourceFiles(folder, () => true).flatMap((file) => {
    const source = readFileSync(file, "utf8");
    if (isLoaded(file) && agentsIn(source, file).length > 0) return [];
    const text = codeOf(source);
    const reason = reasonFor(file, text);
    if (reason === null) return [];
    const names = [
      nameOfFile(file),
      ...[...text.matchAll(NAMED)].map(([, declared, exported = ""]) => declared ?? exported),
    ];
    const { what, cure, isFunction = false } = reason;
    const isLikeAgent = !isFunction && LIKE_AGENT.test(text);
    return [{ file, types: new Set(names.map(customType)), what, cure, isLikeAgent }];
  });
}

interface Reason extends Pick<PassedOver, "what" | "cure"> {
  readonly isFunction?: boolean;
}

const NAMED = new RegExp(
  String.raw`\b(?:class|function|const|let|var)[ \t]+(${NAME})|\bexports\.(${NAME})`,
  "g",
);
const ERROR =
  /^class[ \t]+[\w$]+[^{;]{0,300}?\bextends[ \t\r\n]+(?:[\w$]+\.)*[\w$]*(?:Error|Exception)(?![\w$])/;
const LIKE_AGENT = /\bextends[ \t\r\n]+[\w$.]*Agent\b|\bdefineAgent\b|\bprocess[ \t]*\(|["']flowsheet["']/;
const COMMON_JS = /\bmodule\.exports\b|\bexports\.[\w$]+[ \t]*=/;
const MODULE = /^[ \t]*(?:import|export)\b/m;
const CLASS = new RegExp(String.raw`\bclass[ \t]+(${NAME})([^{;]{0,300}?\bextends\b)?`, "g");
const FUNCTION = new RegExp(
  String.raw`\bexport[ \t]+(?:(?:async[ \t]+)?function[ \t]+(${NAME})|(?:const|let)[ \t]+(${NAME})[^=\n]{0,300}=[ \t\r\n]*(?:async\b|function\b|\())`,
);

function reasonFor(file: string, text: string): Reason | null {
  const end = extname(file);
  const base = basename(file, end);
  if (end === PYTHON)
    return { what: "it is Python", cure: "write it in TypeScript: flowsheet scaffold begins it" };
  if (end === ".cjs" || end === ".cts" || (COMMON_JS.test(text) && !MODULE.test(text))) {
    const better = `${base}.${end.endsWith("ts") ? "ts" : "mjs"}`;
    const cure = `write it as ${better}, with import for require and "export class" for module.exports`;
    return { what: "it is a CommonJS module", cure };
  }
  if (!isLoaded(file))
    return { what: `files that end in ${end} are not read`, cure: `name it ${base}${end.slice(0, 3)}` };
  for (const { 1: name = "", 2: extended, index } of text.matchAll(CLASS)) {
    if (ERROR.test(text.slice(index, index + 600))) continue;
    const cure = `write: export class ${name}`;
    if (extended !== undefined) return { what: `its class ${name} is not exported`, cure };
    if (/\bprocess[ \t]*\(/.test(text))
      return {
        what: `its class ${name} extends nothing`,
        cure: `${cure} extends Agent, with Agent from "flowsheet"`,
      };
  }
  if (/\bdefineAgent[ \t]*[<(]/.test(text))
    return { what: "what defineAgent makes there is not exported", cure: "write export before it" };
  const [, declared, name = declared] = FUNCTION.exec(text) ?? [];
  if (name === undefined) return null;
  const cure = `write: export const ${name} = defineAgent(…), with defineAgent from "flowsheet"`;
  return { what: `${name} is a function as any other`, cure, isFunction: true };
}
