import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { AgentRegistry } from "../../runtime/agents/registry.js";
import { Flowsheet } from "../../runtime/flowsheet.js";
import type { Json } from "../../runtime/graph/contract/contract.js";
import { link } from "../../runtime/graph/link/link.js";
import type { WorkflowResult } from "../../runtime/runs/result.js";
import { lazyStorage } from "../../runtime/storage/lazy-storage.js";
import { WorkflowError } from "../../runtime/workflows/workflow-error.js";
import { createFolder } from "../cli/folder.js";
import { quoted } from "../cli/sheets.js";
import { understandText } from "../world.js";

/** A row of a sheet; each goes on to the next. */
export interface Step {
  readonly agent: string;
  readonly settings?: { readonly [name: string]: Json };
  readonly inputs?: string;
  readonly output?: string;
  readonly prompt?: string;
  /** Where the run goes when the node throws. */
  readonly failure?: string;
}

const COLUMNS =
  "graph_name,node_name,next_node,context,agent_type,next_on_failure,input_fields,output_field,prompt";

/** A sheet with one graph, `Files`, whose nodes are `N1`, `N2`, … */
export function sheetOf(...steps: readonly Step[]): string {
  const rows = steps.map(({ agent, settings, inputs = "", output = "", prompt = "", failure = "" }, i) => {
    const next = i + 1 < steps.length ? `N${i + 2}` : "";
    const context = settings === undefined ? "" : JSON.stringify(settings);
    return ["Files", `N${i + 1}`, next, context, agent, failure, inputs, output, prompt]
      .map(quoted)
      .join(",");
  });
  return [COLUMNS, ...rows, ""].join("\n");
}

const isInvalid = (error: unknown): boolean =>
  error instanceof WorkflowError && error.code === "workflow_invalid";

/** What the validation of sheets refuses, graphs made in code can still ask of an agent. */
async function runUnchecked(data: string, step: Step, state: { readonly [field: string]: Json }) {
  const [graph] = understandText(sheetOf(step)).graphs;
  if (graph === undefined) throw new Error("no graph was understood");
  return link(graph, new AgentRegistry()).run(state, { services: { storage: lazyStorage(data) } });
}

type Files = { readonly [path: string]: string | Uint8Array };

/** A project's folder with files in its data folder. */
export interface Project {
  readonly root: string;
  readonly data: string;
  readonly run: (
    state: { readonly [field: string]: Json },
    ...steps: readonly Step[]
  ) => Promise<WorkflowResult>;
  /** The output `out` of one node; the message of its error when the run failed. */
  readonly out: (step: Step, state?: { readonly [field: string]: Json }) => Promise<unknown>;
  readonly text: (file: string) => string | null;
  /** What the runs had to say beside their results. */
  readonly notes: readonly string[];
}

/** Makes a project with these files in its data folder. */
export function createProject(files: Files = {}): Project {
  const entries = Object.entries(files).map(([path, content]) => [join("data", path), content] as const);
  const root = createFolder(Object.fromEntries(entries));
  const data = join(root, "data");
  const notes: string[] = [];
  const note = (message: string): void => void notes.push(message);
  const log = { debug: note, info: note, warn: note, error: note };
  const run: Project["run"] = (initialState, ...steps) => {
    const flowsheet = new Flowsheet({
      cwd: createFolder({ "s.csv": sheetOf(...steps), "flowsheet.yaml": `data: ${JSON.stringify(data)}\n` }),
      env: {},
      log,
    });
    return flowsheet.runWorkflow({ csvPath: "s.csv", graphName: "Files", initialState });
  };
  return {
    notes,
    root,
    data,
    run,
    out: async (step, state = {}) => {
      const named = { output: "out", ...step };
      const { error, state: end } = await run(state, named).catch((refused: unknown) =>
        isInvalid(refused) ? runUnchecked(data, named, state) : Promise.reject(refused),
      );
      if (error === null) return end["out"];
      if (error.code !== "agent_failed") throw new Error(`${error.code}: ${error.message}`);
      return error.message;
    },
    text: (file) => (existsSync(join(data, file)) ? readFileSync(join(data, file), "utf8") : null),
  };
}
