import { isDeepStrictEqual, parseEnv } from "node:util";
import type { EditResult } from "./edit.js";

/** Sets variables in the text of a `.env` file: in their lines, or at the end; all other lines stay as they are. */
export function setVariables(text: string, values: { readonly [name: string]: string }): EditResult {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  let next = text;
  for (const [name, value] of Object.entries(values)) {
    const line = new RegExp(`^(?:[ \\t]*export[ \\t]+|[ \\t]*)${name}[ \\t]*=.*$`, "m");
    if (line.test(next)) next = next.replace(line, () => `${name}=${value}`);
    else next = `${next}${next === "" || next.endsWith("\n") ? "" : eol}${name}=${value}${eol}`;
  }
  const wanted = { ...parseEnv(text), ...values };
  const same = isDeepStrictEqual({ ...parseEnv(next) }, wanted);
  return same ? { text: next } : { problem: "its variables stand in a way that cannot be changed here" };
}
