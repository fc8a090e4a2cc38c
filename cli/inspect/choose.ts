import type { Understanding } from "../../compiler/compile.js";
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.js";
import { suggest } from "../../compiler/diagnostics/suggest.js";
import type { GraphIR } from "../../compiler/ir.js";
import { UsageError } from "../failure.js";

export interface Chosen {
  readonly sheet: Understanding;
  readonly graph: GraphIR;
  readonly sound: boolean;
}

/** Finds the graphs that are asked for, `several` where the format can show them; wrong names are wrong usage. */
export function chooseGraphs(
  sheets: readonly Understanding[],
  graph: string | null,
  node: string | null,
  several: boolean,
): readonly Chosen[] {
  const all = sheets.flatMap((sheet) =>
    sheet.graphs.map((each): Chosen => ({ sheet, graph: each, sound: isSound(sheet.diagnostics, each) })),
  );
  const named = graph === null ? all : all.filter((one) => answersTo(one, graph));
  if (graph !== null && named.length === 0) throw unknownGraph(graph, all);
  const chosen = node === null ? named : withNode(named, node);
  if (chosen.length < 2 || (several && node === null && graph === null)) return chosen;
  throw ambiguous(chosen, graph ?? node);
}

const fullName = ({ sheet, graph }: Chosen): string => {
  const name = sheet.file.replace(/^.*[/\\]/, "").replace(/\.csv$/i, "");
  return `${name}::${graph.name}`;
};

const answersTo = (one: Chosen, name: string): boolean => one.graph.name === name || fullName(one) === name;

/** As for a run, errors in other graphs do not matter. */
const isSound = (diagnostics: readonly Diagnostic[], { name }: GraphIR): boolean =>
  !diagnostics.some(({ severity, graph }) => severity === "error" && (graph === null || graph === name));

function withNode(candidates: readonly Chosen[], node: string): readonly Chosen[] {
  const found = candidates.filter(({ graph }) => graph.nodes.some(({ name }) => name === node));
  if (found.length > 0) return found;
  // Errors may hide a node, so they are the useful answer.
  const unsound = candidates.filter(({ sound }) => !sound);
  if (unsound.length > 0) return unsound.slice(0, 1);
  const names = candidates.flatMap(({ graph }) => graph.nodes.map(({ name }) => name));
  throw unknown("node", node, names);
}

const unknownGraph = (name: string, all: readonly Chosen[]): UsageError =>
  unknown("graph", name, [...new Set(all.map(({ graph }) => graph.name))]);

function unknown(what: string, name: string, known: readonly string[]): UsageError {
  const near = suggest(name, known);
  const help = near === null ? `there are: ${someOf(known)}` : `did you mean ${JSON.stringify(near)}?`;
  return new UsageError(`there is no ${what} ${JSON.stringify(name)}`, known.length === 0 ? null : help);
}

function ambiguous(chosen: readonly Chosen[], name: string | null): UsageError {
  const names = chosen.map(({ graph }) => graph.name);
  const choices = new Set(names).size === names.length ? names : chosen.map(fullName);
  const what =
    name === null ? "there are several graphs" : `several graphs have what is named ${JSON.stringify(name)}`;
  return new UsageError(`${what}: ${someOf(choices)}`, "name one of them with --graph");
}

const someOf = (names: readonly string[]): string =>
  names.length > 20 ? `${names.slice(0, 20).join(", ")} and ${names.length - 20} more` : names.join(", ");
