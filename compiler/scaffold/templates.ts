import { readFileSync } from "node:fs";
import { join } from "node:path";
import Handlebars from "handlebars";
import { propertyKey, stringLiteral } from "../3-emit/literals.js";

export interface Filling {
  readonly [name: string]: unknown;
}

/** Text of a sheet is never a template. It enters one only through the encoders `lit` and `key`, or already encoded. */
export function fillTemplate(folder: string, name: string, filling: Filling): string {
  const engine = Handlebars.create();
  engine.registerHelper({
    lit: (text: unknown) => stringLiteral(String(text)),
    key: (name: unknown) => propertyKey(String(name)),
  });
  const template = engine.compile(readFileSync(join(folder, name), "utf8"), {
    noEscape: true,
    strict: true,
    knownHelpersOnly: true,
    knownHelpers: { lit: true, key: true },
  });
  return template(filling);
}
