import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.js";
import { FlowsheetError } from "../graph/contract/errors.js";

export type WorkflowErrorCode =
  | "sheet_unreadable"
  | "folder_unreadable"
  /** The sheet has errors: they are in `diagnostics`. */
  | "workflow_invalid"
  | "graph_unknown"
  /** There are several graphs, and none was named. */
  | "graph_needed"
  | "module_missing"
  | "module_stale"
  /** A generated module, or what is kept of it, that the system does not let us read. */
  | "module_unreadable";

export interface WorkflowErrorOptions {
  readonly diagnostics?: readonly Diagnostic[];
  readonly text?: string | null;
  readonly help?: string | null;
}

/** A sheet or a graph that cannot be run, and what cures it. */
export class WorkflowError extends FlowsheetError {
  declare readonly code: WorkflowErrorCode;
  readonly diagnostics: readonly Diagnostic[];
  readonly text: string | null;
  readonly help: string | null;

  constructor(code: WorkflowErrorCode, message: string, options: WorkflowErrorOptions = {}) {
    super(code, message);
    this.diagnostics = options.diagnostics ?? [];
    this.text = options.text ?? null;
    this.help = options.help ?? null;
  }
}
