import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import ts from "typescript";

/** The language service that an editor talks to, over one file of these tests; its text may be changed first. */
export function openEditor(
  file: string,
  change: (text: string) => string = (text) => text,
): { readonly service: ts.LanguageService; readonly file: string; readonly text: string } {
  const path = resolve(file);
  const text = change(readFileSync(path, "utf8"));
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile("tsconfig.json", ts.sys.readFile).config,
    ts.sys,
    resolve("."),
  );
  const host: ts.LanguageServiceHost = {
    getCompilationSettings: () => options,
    getScriptFileNames: () => [path],
    getScriptVersion: () => "1",
    getScriptSnapshot: (name) => {
      const content = name === path ? text : ts.sys.readFile(name);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => resolve("."),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  };
  return { service: ts.createLanguageService(host), file: path, text };
}
