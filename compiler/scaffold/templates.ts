import { readFileSync } from "node:fs";
import { join } from "node:path";
import Handlebars from "handlebars";
import { propertyKey, stringLiteral } from "../3-emit/literals.js";

/** What a template is filled with. */
export interface Filling {
  readonly [name: string]: unknown;
}

/**
 * Fills one of our own templates. Text of a sheet is never a template, and gets into one only through the
 * encoders `lit` and `key`, or encoded already.
 */
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
