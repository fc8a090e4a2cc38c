import { createRequire } from "node:module";
import type * as TsMorph from "ts-morph";

export type { ts } from "ts-morph";

let loaded: typeof TsMorph.ts | undefined;

/**
 * The compiler that ts-morph brings, loaded when the first module is printed. ts-morph is a CommonJS package: by
 * `require` it comes in three quarters of the time that an import takes, which reads its text twice.
 */
export function compilerApi(): typeof TsMorph.ts {
  loaded ??= (createRequire(import.meta.url)("ts-morph") as typeof TsMorph).ts;
  return loaded;
}

/** The text of a module as a tree: parsed once, never changed. */
export function parseModule(text: string): TsMorph.ts.SourceFile {
  const ts = compilerApi();
  return ts.createSourceFile(
    "module.ts",
    text,
    { languageVersion: ts.ScriptTarget.ESNext, jsDocParsingMode: ts.JSDocParsingMode.ParseNone },
    false,
  );
}
