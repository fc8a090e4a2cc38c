import type { Understanding } from "../compiler/compile.js";
import type { AnyDiagnostic, Diagnostic } from "../compiler/diagnostics/diagnostic.js";
import { jsonText } from "../compiler/diagnostics/json-text.js";
import { createReport } from "../compiler/diagnostics/report.js";
import { visible } from "../compiler/diagnostics/visible.js";
import type { GraphIR } from "../compiler/ir.js";
import { UsageError } from "./failure.js";
import type { Given } from "./line/verb.js";
import type { Context, Output } from "./process/context.js";
import { version } from "./version.js";

export type Format = "text" | "json" | "sarif" | "github";

export interface Findings {
  readonly diagnostics: readonly AnyDiagnostic[];
  /** The text of each sheet, by the name that diagnostics carry. */
  readonly sources: ReadonlyMap<string, string>;
  readonly graphs: readonly GraphIR[];
  /** Counted by the rows, since a graph describes its nodes when it is first asked for them. */
  readonly nodes: number;
}

/** The format that `--format` or `--json` asks for; null for neither. */
export function askedFormat<F extends string>(given: Given): F | "json" | null {
  const named = given.text("format") as F | null;
  if (!given.flag("json")) return named;
  if (named === null || named === "json") return "json";
  throw new UsageError(`--json and --format ${named} cannot be used together`);
}

export const formatOf = (given: Given): Format => askedFormat<Format>(given) ?? "text";

export async function writeFindings(
  findings: Findings,
  format: Format,
  context: Context,
  output: Output = context.stdout,
  more: object = {},
): Promise<void> {
  output.write(await WRITERS[format]({ ...findings, more }, context, output));
}

/** Writes diagnostics as text to stderr, beside the data of a command. */
export async function tellProblems(
  diagnostics: readonly Diagnostic[],
  sources: Findings["sources"],
  context: Context,
): Promise<void> {
  if (diagnostics.length === 0) return;
  await writeFindings({ diagnostics, sources, graphs: [], nodes: 0 }, "text", context, context.stderr);
}

/** The texts of sheets, by the names that diagnostics carry. What is no sheet at all has none to show. */
export const sourcesOf = (understood: readonly Understanding[]): Findings["sources"] =>
  new Map(understood.flatMap(({ file, sheet }) => (sheet === null ? [] : [[file, sheet.text]])));

type Writer = (
  findings: Findings & { readonly more: object },
  context: Context,
  output: Output,
) => Promise<string>;

/** Large formats are loaded on demand: a sheet without problems needs none. */
const WRITERS: { readonly [F in Format]: Writer } = {
  text: findingsText,
  json: async ({ diagnostics, sources, graphs, more }) =>
    jsonText({ ...createReport(diagnostics, sources, graphs), ...more }),
  github: async ({ diagnostics, sources }) => {
    const { formatGithub } = await import("../compiler/diagnostics/format-github.js");
    return formatGithub(diagnostics, sources);
  },
  sarif: async ({ diagnostics, sources }) => {
    const { formatSarif } = await import("../compiler/diagnostics/format-sarif.js");
    // Problems of a configuration have no such report: `validate` refuses to write one.
    return formatSarif(diagnostics as readonly Diagnostic[], sources, { version });
  },
};

async function findingsText(findings: Findings, context: Context, output: Output): Promise<string> {
  const { diagnostics, sources } = findings;
  if (diagnostics.length === 0) return context.quiet ? "" : `${cleanText(findings)}\n`;
  const { formatText } = await import("../compiler/diagnostics/format-text.js");
  const width = output.columns();
  return formatText(diagnostics, sources, {
    color: context.color(output),
    ...(width !== null && { width }),
  });
}

/** One line for sheets without a problem: `support.csv: no problems (2 graphs, 14 nodes)`. */
function cleanText({ sources, graphs, nodes }: Findings): string {
  const [first = ""] = sources.keys();
  const sheets = sources.size === 1 ? visible(first) : countText(sources.size, "sheet");
  // A test sheet has no graphs.
  if (graphs.length === 0) return `${sheets}: no problems`;
  return `${sheets}: no problems (${countText(graphs.length, "graph")}, ${countText(nodes, "node")})`;
}

export const countText = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
