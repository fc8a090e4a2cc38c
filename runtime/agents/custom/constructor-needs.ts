import { codeOf } from "./source-text.js";

/** The required parameters of a class's constructor, from the text of its module; empty without the class. */
export function constructorNeeds(source: string, name: string): readonly string[] {
  const text = codeOf(source);
  const begin = /^[\w$]+$/.test(name)
    ? text.search(new RegExp(String.raw`\bclass[ \t]+${name.replaceAll("$", "\\$")}(?![\w$])`))
    : -1;
  if (begin === -1) return [];
  const head = /\bconstructor[ \t\r\n]*\(/g;
  head.lastIndex = begin;
  if (head.exec(text) === null) return [];
  return parametersAt(text, head.lastIndex).flatMap((one) => neededName(one) ?? []);
}

const DEEPER = /[([{<]/;
const HIGHER = /[)\]}>]/;

function parametersAt(text: string, begin: number): readonly string[] {
  const found: string[] = [];
  let depth = 0;
  let from = begin;
  for (let at = begin; at < text.length; at++) {
    const char = text[at]!;
    const isArrow = char === ">" && text[at - 1] === "=";
    if (DEEPER.test(char)) depth += 1;
    else if (HIGHER.test(char) && !isArrow) depth -= 1;
    const isOver = depth < 0;
    if (!isOver && (char !== "," || depth > 0)) continue;
    found.push(text.slice(from, at).trim());
    from = at + 1;
    if (isOver) break;
  }
  return found.filter((one) => one !== "");
}

function neededName(parameter: string): string | null {
  const plain = parameter.replace(/^(?:(?:public|private|protected|readonly|override)[ \t\r\n]+)+/, "");
  const name = /^[\w$]+/.exec(plain)?.[0];
  if (plain.startsWith("...") || /^[\w$]+[ \t]*\?/.test(plain) || /=(?!>)/.test(plain)) return null;
  return name ?? "an object";
}
