import { createRequire } from "node:module";
import type * as TsMorph from "ts-morph";

export type { ts } from "ts-morph";

type Api = typeof TsMorph.ts;

let loaded: Api | undefined;

/** The compiler that ts-morph brings, loaded when the first module is printed. */
export function compilerApi(): Api {
  loaded ??= loadApi(createRequire(import.meta.url));
  return loaded;
}

/**
 * Takes the compiler alone where it lies in a file of its own: without all of ts-morph around it, it is there in
 * three quarters of the time. By `require`, since an import reads the text of such packages twice.
 */
function loadApi(load: NodeJS.Require): Api {
  try {
    return createRequire(load.resolve("ts-morph"))("@ts-morph/common/dist/typescript.js") as Api;
  } catch {
    return (load("ts-morph") as typeof TsMorph).ts;
  }
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

/** Code of the project as a tree. The parser has no room for what is thousands of brackets deep: of that nothing is known. */
export function parseSource(text: string): TsMorph.ts.SourceFile | null {
  try {
    return parseModule(text);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
