import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { Project, ts } from "ts-morph";
import { type ModuleClash, moduleClash } from "./module-clash.js";
import { foldersUpwards, isPlainFile, plainFiles } from "./plain-files.js";

export interface ProgramOptions {
  readonly files: ReadonlyMap<string, string>;
  readonly root: string;
  /** Flowsheet's own folder: its types are used when the project has not installed it. */
  readonly packageRoot: string;
}

export interface TypeProgram {
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  /** The project has a tsconfig.json. */
  readonly isConfigured: boolean;
  /** The project's own compiler rejects untyped JavaScript. This program reads it anyway. */
  readonly refusesJavaScript: boolean;
  /** A module setting with which no generated module works. */
  readonly clash: (ModuleClash & { readonly file: string }) | null;
  /** Adds files in memory. */
  readonly extend: (files: ReadonlyMap<string, string>) => TypeProgram;
}

export class TypeConfigError extends Error {
  readonly file: string;

  constructor(file: string, message: string) {
    super(message);
    this.name = "TypeConfigError";
    this.file = file;
  }
}

/** Imports of the files in memory are read from the disk. */
export function createProgram({ files, root, packageRoot }: ProgramOptions): TypeProgram {
  const config = ts.findConfigFile(root, isPlainFile);
  const { options, ambient } = config === undefined ? unconfigured(root) : readConfig(config);
  const isConfigured = config !== undefined;
  const { allowJs, checkJs, noImplicitAny, strict } = options;
  const refusesJavaScript = isConfigured && !(allowJs ?? checkJs) && (noImplicitAny ?? strict ?? true);
  const found = config === undefined ? null : moduleClash(options, root);
  const clash = config === undefined || found === null ? null : { ...found, file: config };
  const project = new Project({
    compilerOptions: { ...options, ...ALWAYS, ...pathsOf(options, root, packageRoot) },
    skipAddingFilesFromTsConfig: true,
    skipFileDependencyResolution: true,
  });
  for (const file of ambient) project.addSourceFileAtPathIfExists(file);
  const extend = (more: ReadonlyMap<string, string>): TypeProgram => {
    for (const [path, text] of more) project.createSourceFile(path, text, { overwrite: true });
    const program = project.getProgram().compilerObject;
    return { program, checker: program.getTypeChecker(), isConfigured, refusesJavaScript, clash, extend };
  };
  return extend(files);
}

const DEFAULTS: ts.CompilerOptions = {
  strict: true,
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
};

/** Overrides output settings, which would cause errors here. */
const ALWAYS: ts.CompilerOptions = {
  noEmit: true,
  composite: false,
  incremental: false,
  declaration: false,
  declarationMap: false,
  isolatedDeclarations: false,
  skipLibCheck: true,
  allowJs: true,
  noUnusedLocals: false,
  noUnusedParameters: false,
};

interface Configured {
  readonly options: ts.CompilerOptions;
  readonly ambient: readonly string[];
}

/** Null also for a tsconfig.json that cannot be read: the type check reports that. */
export function clashOf(root: string): ModuleClash | null {
  const config = ts.findConfigFile(root, isPlainFile);
  try {
    return config === undefined ? null : moduleClash(readConfig(config).options, root);
  } catch (error) {
    if (error instanceof TypeConfigError) return null;
    throw error;
  }
}

/** TypeScript 5 includes all installed @types when `types` is not set; TypeScript 6 does not. */
const ALL_TYPES = ["*"];

function unconfigured(root: string): Configured {
  const typeRoots = foldersUpwards(root).map((folder) => join(folder, "node_modules", "@types"));
  return { options: { ...DEFAULTS, types: ALL_TYPES, typeRoots: typeRoots.filter(existsSync) }, ambient: [] };
}

function readConfig(file: string): Configured {
  const { config, error } = ts.readConfigFile(file, plainFiles(ts.sys).readFile);
  if (error !== undefined)
    throw new TypeConfigError(file, ts.flattenDiagnosticMessageText(error.messageText, " "));
  // The file's folder is the base of typeRoots.
  const parsed = ts.parseJsonConfigFileContent(config, plainFiles(ts.sys), dirname(file), undefined, file);
  const { rootDir, outDir, tsBuildInfoFile, ...options } = parsed.options;
  // Ambient declarations hold for all code. Other files matter only when modules import them.
  const ambient = parsed.fileNames.filter((name) => /\.d\.[mc]?ts$/.test(name));
  return { options: { types: ALL_TYPES, ...options }, ambient };
}

/** Path mappings to our own types, for packages that are not installed. */
function pathsOf(options: ts.CompilerOptions, root: string, packageRoot: string): ts.CompilerOptions {
  const missing = ["flowsheet", "flowsheet-runtime"].filter((name) => !isInstalled(name, root));
  if (missing.length === 0) return {};
  const types = (room: string): string[] => [join(packageRoot, "dist", room, "index.d.ts")];
  const paths = missing.map((name) => ({
    [name]: types("runtime"),
    [`${name}/graph`]: types("runtime/graph"),
    [`${name}/agents`]: types("runtime/agents"),
  }));
  return { paths: Object.assign({}, options.paths, ...paths) };
}

const isInstalled = (name: string, root: string): boolean =>
  foldersUpwards(root).some((folder) => existsSync(join(folder, "node_modules", name, "package.json")));

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
    for (const statement of by.statements) {
      if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue;
      const { moduleSpecifier } = statement;
      const module = moduleSpecifier && checker.getSymbolAtLocation(moduleSpecifier)?.valueDeclaration;
      if (moduleSpecifier === undefined || module === undefined || !ts.isSourceFile(module)) continue;
      const path = module.fileName;
      if (!isJavaScript(path) || found.has(path)) continue;
      const start = moduleSpecifier.getStart(by);
      found.set(path, { by, start, length: moduleSpecifier.end - start, path });
    }
  }
  return [...found.values()];
}

const isJavaScript = (path: string): boolean => /\.[cm]?jsx?$/.test(path);

/** The file in which TypeScript looks for the types of one in JavaScript. */
export const declarationsOf = (path: string): string => path.replace(/\.([cm]?)jsx?$/, ".d.$1ts");
