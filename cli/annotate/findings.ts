import { STATUSES } from "../../compiler/2-analyze/tests/expected-end.js";
import type { Understanding } from "../../compiler/compile.js";
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.js";
import { plainProse } from "../../compiler/diagnostics/explanations/explanation.js";
import { worksheetNamed } from "../../compiler/diagnostics/worksheet.js";
import type { ColumnName, Sheet, TestColumn } from "../../compiler/ir.js";
import type { World } from "../../compiler/world.js";
import { about } from "../../runtime/agents/about.js";
import type { Project } from "../../runtime/config/folders.js";
import { type OpenedTests, openTests } from "../../runtime/testing/open-tests.js";
import { WorkflowError } from "../../runtime/workflows/workflow-error.js";
import { worksheetName } from "../convert/new-book.js";
import type { Context } from "../process/context.js";
import { collectSheets, type TestPath } from "../sheets/collect.js";
import { surroundingsOf, understandFile } from "../sheets/read.js";
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
  const { sheets, tests } = await collectSheets(context.cwd, { operands: [operand], csv: [] }, context.note);
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
    const opened = openedTests(test as TestPath, project, context);
    if (opened === null) continue;
    diagnostics.push(...opened.tests.diagnostics);
    annotations.push(...annotationsOfTests(opened, operand));
  }
  return { annotations, diagnostics };
}

function annotationsOf(
  { sheet, graphs }: Understanding,
  remarks: ReadonlyMap<string, readonly Remark[]>,
  operand: string,
  world: World,
): readonly Annotation[] {
  if (sheet === null) return [...remarks].map(remarksAlone);
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

/** Null when the workbook has nothing that could be tested: its sheets say why. */
function openedTests(test: TestPath, project: Project, { env, encoding }: Context): OpenedTests | null {
  try {
    return openTests(test, { project, env, encoding });
  } catch (error) {
    if (!(error instanceof WorkflowError)) throw error;
    return null;
  }
}

function annotationsOfTests({ tests, workflow, path }: OpenedTests, operand: string): readonly Annotation[] {
  const { sheet, diagnostics } = tests;
  const found = remarksOf(diagnostics, worksheetName(operand));
  const worksheet = worksheetNamed(path)?.worksheet;
  if (sheet === null || worksheet === undefined) return [...found].map(remarksAlone);
  const { record, columns } = sheet.header;
  const values = new Map<TestColumn, readonly string[]>([
    ["graph_name", workflow.graphs.map(({ name }) => name)],
    ["expect_status", STATUSES],
  ]);
  const last = sheet.cases.at(-1)?.record ?? record;
  return [
    {
      worksheet,
      remarks: found.get(worksheet) ?? [],
      headers: [...columns].map(([name, column]) => ({
        row: record,
        column,
        text: plainProse(about.testColumns[name]),
      })),
      dropDowns: [...columns].flatMap(([name, column]) => {
        const own = values.get(name);
        return own === undefined ? [] : [{ column, values: own }];
      }),
      firstRow: record + 1,
      lastRow: last + NEW_ROWS,
    },
  ];
}

const remarksAlone = ([worksheet, remarks]: readonly [string, readonly Remark[]]): Annotation => ({
  ...{ worksheet, remarks, headers: [], dropDowns: [] },
  ...{ firstRow: 0, lastRow: 0 },
});

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
