import {
  Flowsheet,
  type FlowsheetOptions,
  type WorkflowEvent,
  type WorkflowResult,
} from "../../runtime/index.js";
import { createFolder } from "../cli/folder.js";
import { quoted } from "../cli/sheets.js";

export const HEADER =
  "graph_name,node_name,next_node,context,agent_type,next_on_success,next_on_failure,input_fields,output_field,prompt";

/** A row of the graph T. */
export interface Row {
  readonly node: string;
  readonly agent?: string;
  readonly next?: string;
  readonly failure?: string;
  readonly context?: object;
  readonly inputs?: string;
  readonly outputs?: string;
  readonly prompt?: string;
}

/** A sheet of these rows. */
export function sheetOf(...rows: readonly Row[]): string {
  const lines = rows.map(({ node, agent = "llm", next = "", failure = "", context, ...rest }) => {
    const { inputs = "", outputs = "", prompt = "" } = rest;
    const settings = context === undefined ? "" : JSON.stringify(context);
    return ["T", node, next, settings, agent, "", failure, inputs, outputs, prompt].map(quoted).join(",");
  });
  return `${[HEADER, ...lines].join("\n")}\n`;
}

/** A project with one sheet, `t.csv`, and what the section `llm` of its configuration says. */
export interface Setup {
  readonly rows: readonly Row[];
  readonly llm?: object;
  readonly env?: { readonly [name: string]: string };
  readonly options?: FlowsheetOptions;
}

export interface Told {
  readonly result: WorkflowResult;
  readonly events: readonly WorkflowEvent[];
  readonly log: readonly string[];
}

/** The folder of a project. A configuration is JSON, which is YAML. */
export const folderOf = ({ rows, llm }: Setup): string =>
  createFolder({
    "t.csv": sheetOf(...rows),
    ...(llm === undefined ? {} : { "flowsheet.yaml": JSON.stringify({ workflows: ".", llm }) }),
  });

/** Runs the graph of a project by the library. */
export async function runProject(
  setup: Setup,
  given: { readonly [field: string]: unknown } = {},
  settings: { readonly signal?: AbortSignal; readonly timeoutMs?: number } = {},
): Promise<Told> {
  const log: string[] = [];
  const events: WorkflowEvent[] = [];
  const note = (message: string): void => void log.push(message);
  const flowsheet = new Flowsheet({
    cwd: folderOf(setup),
    env: setup.env ?? {},
    log: { debug: note, info: note, warn: note, error: note },
    ...setup.options,
  });
  const result = await flowsheet.runWorkflow({
    csvPath: "t.csv",
    initialState: given,
    trace: true,
    on: (event) => void events.push(event),
    ...settings,
  });
  return { result, events, log };
}

/** The configuration of one provider at an address, with a key. */
export const openaiAt = (url: string, more: object = {}): object => ({
  default_provider: "openai",
  providers: { openai: { kind: "openai", base_url: url, api_key: KEY, model: "m1", ...more } },
});

/** A key that must never be seen. It is none. */
export const KEY = "canary/key+0123456789==abc";
