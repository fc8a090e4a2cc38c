import { join } from "node:path";
import { Flowsheet, type FlowsheetOptions, type WorkflowResult } from "flowsheet";
import { createFolder } from "../cli/folder.js";

const HEADER =
  "graph_name,node_name,next_node,context,agent_type,next_on_success,next_on_failure,input_fields,output_field,prompt,description";

/** A row of a sheet; what is left out is an empty cell. */
export interface SheetRow {
  readonly graph?: string;
  readonly node: string;
  readonly next?: string;
  /** Settings, or the node in words. */
  readonly context?: object | string;
  readonly agent?: string;
  readonly success?: string;
  readonly failure?: string;
  readonly inputs?: string;
  readonly outputs?: string;
  readonly prompt?: string;
  readonly description?: string;
}

const quote = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The text of a sheet. Rows without a graph belong to `Main`. */
export function sheetText(rows: readonly SheetRow[]): string {
  const lines = rows.map(({ graph = "Main", node, next, context, agent, ...rest }) => {
    const { success, failure, inputs, outputs, prompt, description } = rest;
    const settings = typeof context === "object" ? JSON.stringify(context) : context;
    const cells = [
      graph,
      node,
      next,
      settings,
      agent,
      success,
      failure,
      inputs,
      outputs,
      prompt,
      description,
    ];
    return cells.map((cell = "") => quote(cell)).join(",");
  });
  return `${[HEADER, ...lines].join("\n")}\n`;
}

export interface Project {
  readonly flowsheet: Flowsheet;
  readonly folder: string;
  /** Runs a graph of the sheet; `Main` unless another one is named. */
  readonly run: (given?: object, graph?: string, more?: object) => Promise<WorkflowResult>;
}

/** A project with one sheet, and more files where they are needed. */
export function createProject(
  rows: readonly SheetRow[],
  {
    files = {},
    ...options
  }: FlowsheetOptions & { readonly files?: { readonly [path: string]: string } } = {},
): Project {
  const folder = createFolder({ "sheet.csv": sheetText(rows), ...files });
  const flowsheet = new Flowsheet({ cwd: folder, ...options });
  return {
    flowsheet,
    folder,
    run: (given = {}, graphName = "Main", more = {}) =>
      flowsheet.runWorkflow({
        csvPath: join(folder, "sheet.csv"),
        graphName,
        initialState: { ...given },
        ...more,
      }),
  };
}
