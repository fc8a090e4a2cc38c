import { createRequire } from "node:module";
import type * as TsMorph from "ts-morph";

export type { ts } from "ts-morph";

let loaded: typeof TsMorph | undefined;

/**
 * ts-morph, loaded when the first module is printed. It is a CommonJS package: by `require` it comes in three quarters
 * of the time that an import takes, which reads its text twice.
 */
export function tsMorph(): typeof TsMorph {
  loaded ??= createRequire(import.meta.url)("ts-morph") as typeof TsMorph;
  return loaded;
}

/** The text of a module's sections, parsed once. */
export function parseModule(sections: readonly string[]): TsMorph.ts.SourceFile {
  const { IndentationText, Project, QuoteKind } = tsMorph();
  const project = new Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    manipulationSettings: { indentationText: IndentationText.TwoSpaces, quoteKind: QuoteKind.Double },
  });
  return project.createSourceFile("module.ts", `${sections.join("\n\n")}\n`).compilerNode;
}
