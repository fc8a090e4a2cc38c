import { quoteCell } from "../../../compiler/1-parse/text/edit-cell.js";
import { understandSheet } from "../../../compiler/compile.js";
import type { Diagnostic } from "../../../compiler/diagnostics/diagnostic.js";
import type { Project } from "../../config/folders.js";
import type { RemindWith } from "../../config/run-settings.js";
import type { Environment } from "../../host.js";
import { createWorlds } from "../../workflows/world.js";

export interface RowFault {
  readonly message: string;
  readonly help: string | null;
  /** The part of the section that it is about; null for the whole. */
  readonly key: string | null;
}

const COLUMNS = "graph_name,node_name,agent_type,input_fields,output_field,prompt,context";
const INPUTS = "run_id:string|graph:string|node:string|prompt:string|until:string";

/** What would be wrong with a built-in agent in a row with these settings; null when nothing is. */
export function faultOfRow(
  { agent, prompt, settings }: RemindWith,
  folders: Project,
  env: Environment,
): RowFault | null {
  const cells = ["Reminders", "Remind", agent, INPUTS, "told", prompt ?? "", JSON.stringify(settings)];
  const sheet = `${COLUMNS}\n${cells.map(quoteCell).join(",")}\n`;
  const shown = "flowsheet.yaml";
  const worlds = createWorlds({ folders, env, encoding: null, sheets: [], unknownAgent: "error" });
  // References to files are for sheets.
  const world = { ...worlds({ path: null, shown, named: true }), prompt: null };
  const { diagnostics } = understandSheet({ file: shown, bytes: Buffer.from(sheet) }, world);
  // A name that is misspelt is why another one is missing.
  const found =
    diagnostics.find(({ code }) => code === "unknown-setting") ??
    diagnostics.find(({ severity }) => severity === "error");
  return found === undefined ? null : toldOf(found);
}

function toldOf({ message, help, label, column }: Diagnostic): RowFault {
  const [, setting = null] = /setting "([^"]*)"/.exec(message) ?? [];
  return { message, help: help ?? label, key: column === "prompt" ? "prompt" : setting };
}
