import type { Understanding } from "../../compiler/compile.js";
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.js";
import { plainProse } from "../../compiler/diagnostics/explanations/explanation.js";
import type { ColumnName, Sheet } from "../../compiler/ir.js";
import type { World } from "../../compiler/world.js";
import { about } from "../../runtime/agents/about.js";
import type { Project } from "../../runtime/config/folders.js";
import { worksheetName } from "../convert/new-book.js";
import type { Context } from "../process/context.js";
import { collectSheets, type TestPath } from "../sheets/collect.js";
import { surroundingsOf, understandFile } from "../sheets/read.js";
import { checkTests } from "../test/check-tests.js";
import type { Annotation, DropDown } from "./annotated-book.js";
import { type Remark, remarksOf } from "./remarks.js";

export interface BookFindings {
  readonly annotations: readonly Annotation[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Rows below the last one that drop-downs are for, too: where new nodes are written. */
const NEW_ROWS = 200;

/** All that is to be written into the workbook of a file. */
export async function findingsIn(context: Context, project: Project, operand: string): Promise<BookFindings> {
  const { sheets, tests } = await collectSheets(context.cwd, { operands: [operand], csv: [] });
  const { worldOf } = surroundingsOf(context, project, sheets, { unknownAgent: "warning" });
  const annotations: Annotation[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const sheet of sheets) {
    const world = worldOf(sheet);
    const understanding = await understandFile(sheet, world, context);
    if (understanding === null) continue;
    diagnostics.push(...understanding.diagnostics);
    const remarks = remarksOf(understanding.diagnostics, worksheetName(operand));
    annotations.push(...annotationsOf(understanding, remarks, operand, world));
  }
  for (const test of tests) {
    const found = await checkTests(test as TestPath, project, context, null);
    if (typeof found === "string") continue;
    diagnostics.push(...found.understanding.diagnostics);
    for (const [worksheet, remarks] of remarksOf(found.understanding.diagnostics, worksheetName(operand)))
      annotations.push({ worksheet, remarks, headers: [], dropDowns: [], firstRow: 0, lastRow: 0 });
  }
  return { annotations, diagnostics };
}

function annotationsOf(
  { sheet, graphs }: Understanding,
  remarks: ReadonlyMap<string, readonly Remark[]>,
  operand: string,
  world: World,
): readonly Annotation[] {
  if (sheet === null)
    return [...remarks].map(([worksheet, said]) => ({
      ...{ worksheet, remarks: said, headers: [], dropDowns: [] },
      ...{ firstRow: 0, lastRow: 0 },
    }));
  const worksheet = sheet.worksheet ?? worksheetName(operand);
  const last = sheet.rows.at(-1)?.record ?? sheet.headerRecord;
  return [
    {
      worksheet,
      remarks: remarks.get(worksheet) ?? [],
      headers: headersOf(sheet),
      dropDowns: dropDownsOf(sheet, world, graphs),
      firstRow: sheet.headerRecord + 1,
      lastRow: last + NEW_ROWS,
    },
  ];
}

const headersOf = (sheet: Sheet): Annotation["headers"] =>
  sheet.header.flatMap(({ meaning }, column) =>
    meaning.kind === "column"
      ? [{ row: sheet.headerRecord, column, text: plainProse(about.columns[meaning.name]) }]
      : [],
  );

const NEXT: readonly ColumnName[] = ["next_node", "next_on_success", "next_on_failure"];

/** What may be chosen: agents, nodes of the worksheet, and the graphs that it has already. */
function dropDownsOf(sheet: Sheet, world: World, graphs: Understanding["graphs"]): readonly DropDown[] {
  const agents = [...world.agents.map(({ type }) => type), ...(world.customAgents ?? [])];
  const nodes = [...new Set(sheet.rows.map(({ node }) => node.name))].filter((name) => name !== "");
  const values = new Map<ColumnName, readonly string[]>([
    ["agent_type", [...new Set(agents)].sort()],
    ["graph_name", graphs.map(({ name }) => name)],
    ...NEXT.map((name) => [name, [...nodes, "END"]] as const),
  ]);
  return sheet.header.flatMap(({ meaning }, column) => {
    const own = meaning.kind === "column" ? values.get(meaning.name) : undefined;
    return own === undefined ? [] : [{ column, values: own }];
  });
}
