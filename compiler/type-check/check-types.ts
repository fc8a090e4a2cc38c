import { basename, dirname, join } from "node:path";
import { ts } from "ts-morph";
import { Problems } from "../diagnostics/collect.js";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { NodeIR } from "../ir.js";
import { findMisfits, probeText } from "./misfits.js";
import { type ModuleShape, readShape, type Spot, spotAt } from "./module-shape.js";
import {
  createProgram,
  declarationsOf,
  type ProgramOptions,
  type TypeProgram,
  type UntypedImport,
  untypedImports,
} from "./program.js";
import { type GraphOfSheet, type Plain, tellMisfit, tellPlainly, tellUntypedInputs } from "./tell.js";
import { takenType } from "./untyped-inputs.js";

export interface TypeCheckOptions extends ProgramOptions {
  readonly graphs: readonly (GraphOfSheet & { readonly fingerprint: string })[];
  /** How messages name a file. */
  readonly shown: (path: string) => string;
}

export interface TypeFindings {
  readonly diagnostics: readonly Diagnostic[];
  /** The texts of the files that diagnostics stand in, for their frames. */
  readonly sources: ReadonlyMap<string, string>;
}

export function checkTypes(options: TypeCheckOptions): TypeFindings {
  const types = createProgram(options);
  if (types.clash !== null) return tellClash(types.clash, options);
  const traced = traceModules(types, options);
  const own = agentFiles(types, options);
  const problems = new Map<string, Problems>();
  const problemsOf: ProblemsOf = (file) => {
    const known = problems.get(file) ?? new Problems(file);
    problems.set(file, known);
    return known;
  };
  for (const { of, shape } of traced)
    tellUntypedInputs(of, takenType(agentsOf(shape, types), types.checker), problemsOf(of.sheet.file));
  tellFaults(traced, types, problemsOf);
  for (const by of own)
    for (const fault of faultsOf(by, types)) {
      const { start = 0, length = 0 } = fault;
      const what = { says: wordsOf(fault), inFile: true } as const;
      tellInFile(what, { by, start, length }, problemsOf(options.shown(by.fileName)));
    }
  if (types.refusesJavaScript)
    for (const one of untypedImports([...traced.map(({ file }) => file), ...own], types.checker))
      tellUntyped(one, traced, options, problemsOf);
  const told = own.filter(({ fileName }) => problems.has(options.shown(fileName)));
  const sources = new Map(told.map((file) => [options.shown(file.fileName), file.text]));
  return { diagnostics: [...problems.values()].flatMap((one) => one.sorted()), sources };
}

type ProblemsOf = (file: string) => Problems;

/** A wrong module setting would make every import an error, so it is reported once. */
function tellClash(
  { file, ...what }: NonNullable<TypeProgram["clash"]>,
  { shown }: TypeCheckOptions,
): TypeFindings {
  const problems = new Problems(shown(file));
  const place = { file: problems.file, line: 1, column: 1, endLine: 1, endColumn: 1, cell: null };
  problems.report("type-mismatch", what, { place });
  return { diagnostics: problems.sorted(), sources: new Map() };
}

const agentsOf =
  ({ entries }: ModuleShape, { checker }: TypeProgram) =>
  ({ name }: NodeIR): ts.Type | undefined => {
    const made = entries.get(name)?.initializer;
    const agent = made !== undefined && ts.isCallExpression(made) ? made.arguments[0] : undefined;
    return agent && checker.getTypeAtLocation(agent);
  };

interface TracedModule {
  readonly file: ts.SourceFile;
  readonly shape: ModuleShape;
  readonly of: GraphOfSheet;
  readonly faults: readonly ts.Diagnostic[];
}

function traceModules(types: TypeProgram, { files, graphs }: TypeCheckOptions): readonly TracedModule[] {
  const left = [...graphs];
  return [...files.keys()].flatMap((path): readonly TracedModule[] => {
    const file = types.program.getSourceFile(path);
    const shape = file === undefined ? null : readShape(file);
    const at = left.findIndex(
      ({ graph, fingerprint }) => graph.name === shape?.graph && fingerprint === shape.fingerprint,
    );
    const [of] = at === -1 ? [] : left.splice(at, 1);
    if (file === undefined || shape === null || of === undefined) return [];
    return [{ file, shape, of, faults: faultsOf(file, types) }];
  });
}

/** Codes that depend on tsconfig.json and installed packages. They are ignored where there is no tsconfig.json. */
const CIRCUMSTANCES = new Set([
  1259, 1286, 1295, 1309, 1378, 1470, 1479, 2307, 2580, 2591, 2792, 2834, 2835, 5097, 7016,
]);

function faultsOf(file: ts.SourceFile, { program, isConfigured }: TypeProgram): readonly ts.Diagnostic[] {
  const found = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
  return found.filter(
    ({ category, code }) =>
      category === ts.DiagnosticCategory.Error && (isConfigured || !CIRCUMSTANCES.has(code)),
  );
}

/** Reports one problem for each spot, in words of the sheet where a misfit is found. */
function tellFaults(modules: readonly TracedModule[], types: TypeProgram, problemsOf: ProblemsOf): void {
  const probes = modules.flatMap((module) => (module.faults.length > 0 ? [probeOf(module)] : []));
  if (probes.length === 0) return;
  const { checker, program } = types.extend(new Map(probes.map(({ path, text }) => [path, text])));
  for (const { module, path, names } of probes) {
    const problems = problemsOf(module.of.sheet.file);
    const probed = program.getSourceFile(path)!;
    const shape = readShape(program.getSourceFile(module.file.fileName)!)!;
    const seen = new Set<string>();
    for (const fault of module.faults) {
      const spot = spotOf(fault, module);
      const says = wordsOf(fault);
      const key = spot.kind === "node" ? spot.node : JSON.stringify([spot, says]);
      if (seen.has(key)) continue;
      seen.add(key);
      const node =
        spot.kind === "node" ? module.of.graph.nodes.find(({ name }) => name === spot.node) : undefined;
      const index = node === undefined ? -1 : names.indexOf(node.name);
      const misfits =
        node === undefined ? [] : findMisfits(node, { index, says }, { checker, shape, probe: probed });
      for (const misfit of misfits) tellMisfit(misfit, node!, module.of, problems);
      if (misfits.length === 0) tellPlainly({ says }, spot, module.of, problems);
    }
  }
}

const wordsOf = ({ messageText }: ts.Diagnostic): string =>
  ts.flattenDiagnosticMessageText(messageText, " ").replace(/\s+/g, " ");

const spotOf = ({ start }: Pick<ts.Diagnostic, "start">, { file, shape }: TracedModule): Spot =>
  start === undefined
    ? { kind: "elsewhere" }
    : (importSpot(file, shape, start) ?? spotAt(file, shape, start));

/** A fault of an import is one of the first node whose agent it is. */
function importSpot(file: ts.SourceFile, { entries }: ModuleShape, start: number): Spot | null {
  const statement = file.statements.find((one) => one.getStart(file) <= start && start < one.end);
  if (statement === undefined || !ts.isImportDeclaration(statement)) return null;
  const bindings = statement.importClause?.namedBindings;
  const all = bindings !== undefined && ts.isNamedImports(bindings) ? [...bindings.elements] : [];
  const meant = all.filter((one) => one.getStart(file) <= start && start < one.end);
  const names = new Set((meant.length > 0 ? meant : all).map(({ name }) => name.text));
  for (const [node, { initializer }] of entries) {
    const agent = ts.isCallExpression(initializer) ? initializer.arguments[0]?.getText(file) : undefined;
    if (agent !== undefined && names.has(/^[\w$]+/.exec(agent)?.[0] ?? ""))
      return { kind: "node", node, part: "agent", item: null };
  }
  return null;
}

/** A module in memory that declares type aliases for the nodes of a faulty module. */
function probeOf(module: TracedModule) {
  const { file, shape, faults } = module;
  const spots = faults.map((fault) => spotOf(fault, module));
  const names = [...new Set(spots.flatMap((spot) => (spot.kind === "node" ? [spot.node] : [])))];
  const from = `./${basename(file.fileName).replace(/\.ts$/, ".js")}`;
  const text = probeText({ module: from, graphTypes: graphTypesOf(file) }, shape, names);
  return { module, path: join(dirname(file.fileName), `~probe-${basename(file.fileName)}`), text, names };
}

/** The package that the module itself imports, since types of two packages are not compatible. */
function graphTypesOf({ statements }: ts.SourceFile): string {
  const sources = statements.flatMap((one) =>
    ts.isImportDeclaration(one) && ts.isStringLiteral(one.moduleSpecifier) ? [one.moduleSpecifier.text] : [],
  );
  return sources.find((source) => /^flowsheet(?:-runtime)?\/graph$/.test(source)) ?? "flowsheet/graph";
}

/** The project's own files that modules import, directly or indirectly. */
function agentFiles(
  { program }: TypeProgram,
  { files, packageRoot }: TypeCheckOptions,
): readonly ts.SourceFile[] {
  const ours = join(packageRoot, "dist");
  return program
    .getSourceFiles()
    .filter(
      ({ fileName, isDeclarationFile }) =>
        !isDeclarationFile &&
        !files.has(fileName) &&
        !fileName.includes("/node_modules/") &&
        !fileName.startsWith(ours),
    );
}

function tellInFile(
  what: Plain,
  { by: file, start, length }: Omit<UntypedImport, "path">,
  problems: Problems,
): void {
  const from = file.getLineAndCharacterOfPosition(start);
  const to = file.getLineAndCharacterOfPosition(start + length);
  const place = {
    file: problems.file,
    line: from.line + 1,
    column: from.character + 1,
    endLine: to.line + 1,
    endColumn: to.character + 1,
    cell: null,
  };
  problems.report("type-mismatch", what, { place });
}

/** Reported at the node that imports it, or at the import when the importing file is an agent's. */
function tellUntyped(
  { by, start, length, path }: UntypedImport,
  traced: readonly TracedModule[],
  { shown }: TypeCheckOptions,
  problemsOf: ProblemsOf,
): void {
  const untyped = shown(path);
  const what = { untyped, declarations: declarationsOf(untyped) };
  const module = traced.find(({ file }) => file === by);
  if (module === undefined) tellInFile(what, { by, start, length }, problemsOf(shown(by.fileName)));
  else tellPlainly(what, spotOf({ start }, module), module.of, problemsOf(module.of.sheet.file));
}
