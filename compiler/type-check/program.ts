import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { Project, ts } from "ts-morph";
import { type ModuleClash, moduleClash } from "./module-clash.js";
import { isPlainFile, plainFiles } from "./plain-files.js";

/** What is type-checked, and how. */
export interface ProgramOptions {
  /** Text of files by absolute path; they need not be on the disk. */
  readonly files: ReadonlyMap<string, string>;
  /** The project's folder. */
  readonly root: string;
  /** The folder that this package is installed in: its types stand in for a package that is not installed. */
  readonly packageRoot: string;
}

export interface TypeProgram {
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  /** The project says itself how it is checked. */
  readonly isConfigured: boolean;
  /** JavaScript without declarations is refused where the project itself is checked; here it is read all the same. */
  readonly refusesJavaScript: boolean;
  /** What the project says of modules, where none of ours can be used with it. */
  readonly clash: (ModuleClash & { readonly file: string }) | null;
  /** The program with these files too. */
  readonly extend: (files: ReadonlyMap<string, string>) => TypeProgram;
}

/** A configuration of the project that TypeScript cannot read. */
export class TypeConfigError extends Error {
  readonly file: string;

  constructor(file: string, message: string) {
    super(message);
    this.name = "TypeConfigError";
    this.file = file;
  }
}

/** Makes a program of files in memory and all that they import from the disk. */
export function createProgram({ files, root, packageRoot }: ProgramOptions): TypeProgram {
  const config = ts.findConfigFile(root, isPlainFile);
  const { options, ambient } = config === undefined ? unconfigured(root) : readConfig(config);
  const isConfigured = config !== undefined;
  const refusesJavaScript = isConfigured && missesTypes(options);
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

/** Nothing is written, and what a project says of writing must not get in the way. */
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

/** How a project is checked, and its files of declarations, which hold for all its code. */
interface Configured {
  readonly options: ts.CompilerOptions;
  readonly ambient: readonly string[];
}

/** What a project's tsconfig.json says of modules that keeps it from using ours; null for one that cannot be read, too. */
export function clashOf(root: string): ModuleClash | null {
  const config = ts.findConfigFile(root, isPlainFile);
  try {
    return config === undefined ? null : moduleClash(readConfig(config).options, root);
  } catch (error) {
    if (error instanceof TypeConfigError) return null;
    throw error;
  }
}

/** Types of packages count as they do for a compiler that is told nothing: TypeScript 5 takes all that are installed. */
const ALL_TYPES = ["*"];

function unconfigured(root: string): Configured {
  const typeRoots: string[] = [];
  for (let folder = root; ; folder = dirname(folder)) {
    typeRoots.push(join(folder, "node_modules", "@types"));
    if (dirname(folder) === folder) break;
  }
  return { options: { ...DEFAULTS, types: ALL_TYPES, typeRoots: typeRoots.filter(existsSync) }, ambient: [] };
}

function readConfig(file: string): Configured {
  const { config, error } = ts.readConfigFile(file, plainFiles(ts.sys).readFile);
  if (error !== undefined)
    throw new TypeConfigError(file, ts.flattenDiagnosticMessageText(error.messageText, " "));
  // Types of packages are looked for from the configuration's own place.
  const parsed = ts.parseJsonConfigFileContent(config, plainFiles(ts.sys), dirname(file), undefined, file);
  const { rootDir, outDir, tsBuildInfoFile, ...options } = parsed.options;
  // Of its other files only what the modules import matters.
  const ambient = parsed.fileNames.filter((name) => /\.d\.[mc]?ts$/.test(name));
  return { options: { types: ALL_TYPES, ...options }, ambient };
}

const missesTypes = ({ allowJs, checkJs, noImplicitAny, strict }: ts.CompilerOptions): boolean =>
  !(allowJs ?? checkJs ?? false) && (noImplicitAny ?? strict ?? true);

/** Where the types of our packages are, for a project that has not installed them. */
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

function isInstalled(name: string, root: string): boolean {
  for (let folder = root; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "node_modules", name, "package.json"))) return true;
    if (dirname(folder) === folder) return false;
  }
}
