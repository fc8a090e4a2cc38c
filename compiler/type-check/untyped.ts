import { ts } from "ts-morph";

export interface UntypedImport {
  readonly by: ts.SourceFile;
  readonly start: number;
  readonly length: number;
  readonly path: string;
}

/** JavaScript imports without declarations. Each imported file is listed once. */
export function untypedImports(
  files: readonly ts.SourceFile[],
  checker: ts.TypeChecker,
): readonly UntypedImport[] {
  const found = new Map<string, UntypedImport>();
  for (const by of files.filter(({ fileName }) => !isJavaScript(fileName))) {
    for (const { moduleSpecifier } of by.statements.filter(isFromElsewhere)) {
      const path = moduleSpecifier === undefined ? null : fileOf(moduleSpecifier, checker);
      if (moduleSpecifier === undefined || path === null || !isJavaScript(path) || found.has(path)) continue;
      const start = moduleSpecifier.getStart(by);
      found.set(path, { by, start, length: moduleSpecifier.end - start, path });
    }
  }
  return [...found.values()];
}

const isFromElsewhere = (one: ts.Statement): one is ts.ImportDeclaration | ts.ExportDeclaration =>
  ts.isImportDeclaration(one) || ts.isExportDeclaration(one);

function fileOf(specifier: ts.Expression, checker: ts.TypeChecker): string | null {
  const module = checker.getSymbolAtLocation(specifier)?.valueDeclaration;
  return module !== undefined && ts.isSourceFile(module) ? module.fileName : null;
}

const isJavaScript = (path: string): boolean => /\.[cm]?jsx?$/.test(path);

/** The file in which TypeScript looks for the types of one in JavaScript. */
export const declarationsOf = (path: string): string => path.replace(/\.([cm]?)jsx?$/, ".d.$1ts");
